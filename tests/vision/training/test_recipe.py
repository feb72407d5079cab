"""The recipe for the nets: what is done stays done, what is missing is named, and the manifest tells the truth."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from vision.net import EIGHT_BIT
from vision.training import recipe
from vision.training.recipe import MODELS, RECIPE, Stage, cook, digest, read_manifest

RENDERER = Path(__file__).resolve().parents[4] / "shared" / "synth"


class Writing(Stage):
    """A stage that writes a line to the file it makes."""

    def command(self, folders: dict[str, Path], small: bool) -> list[str]:
        code = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.open('a').write('made\\n')"
        return [sys.executable, "-c", code, str(folders["nets"].parent / self.makes)]


ONE, TWO = Writing("one", "", "nets/one.onnx"), Writing("two", "", "nets/two.onnx", needs=("nets/one.onnx",))


def test_a_finished_stage_is_not_run_again(tmp_path: Path) -> None:
    cook([ONE], tmp_path, {}, small=False)
    cook([ONE, TWO], tmp_path, {}, small=False)
    assert (tmp_path / ONE.makes).read_text() == "made\n"
    assert (tmp_path / TWO.makes).read_text() == "made\n"


def test_the_manifest_has_the_digests_of_what_was_made_and_used(tmp_path: Path) -> None:
    cook([ONE, TWO], tmp_path, {}, small=False)
    made = read_manifest(tmp_path / recipe.MANIFEST)
    assert made["two"]["sha256"] == digest(tmp_path / TWO.makes)
    assert made["two"]["from"] == {ONE.makes: made["one"]["sha256"]}


def test_a_stage_without_its_input_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"two needs nets/one\.onnx"):
        cook([TWO], tmp_path, {}, small=False)


def test_a_stage_that_fails_is_not_entered(tmp_path: Path) -> None:
    class Failing(Stage):
        def command(self, folders: dict[str, Path], small: bool) -> list[str]:
            return [sys.executable, "-c", "raise SystemExit(3)"]

    with pytest.raises(subprocess.CalledProcessError):
        cook([ONE, Failing("bad", "", "nets/bad.onnx")], tmp_path, {}, small=False)
    assert list(read_manifest(tmp_path / recipe.MANIFEST)) == ["one"]


def test_every_stage_finds_its_inputs_made_before_it() -> None:
    made = {"data/photos"}
    for stage in RECIPE:
        assert set(stage.needs) <= made, stage.name
        made.add(stage.makes)


def test_every_net_of_the_tree_has_a_stage_and_the_manifest_its_digest() -> None:
    learned = {path.name for path in MODELS.glob("*.onnx")}
    short = {f"{EIGHT_BIT}/{path.name}" for path in (MODELS / EIGHT_BIT).glob("*.onnx")}
    known = json.loads((MODELS / recipe.MANIFEST).read_text("utf-8"))
    assert learned <= {Path(stage.makes).name for stage in RECIPE}
    assert short == {f"{EIGHT_BIT}/{name}.onnx" for name in recipe.IN_EIGHT_BITS}
    assert set(known) == learned | short
    for name, entry in known.items():
        assert entry["sha256"] == digest(MODELS / name), name
        assert entry["made_by"]
    for name in short:
        assert known[name]["of"] == known[Path(name).name]["sha256"], name


def test_small_cuts_seeds_and_steps() -> None:
    folders = {name: Path(name) for name in ("data", "nets", "renderer", "renderer_python", "photos")}
    scenes = next(stage for stage in RECIPE if stage.name == "scenes")
    assert scenes.command(folders, small=True)[-2:] == ["--seeds", "1000-1001"]
    corners = next(stage for stage in RECIPE if stage.name == "corners")
    assert corners.command(folders, small=True)[-1] == "3"
    game = next(stage for stage in RECIPE if stage.name == "game 991110")
    assert game.command(folders, small=True)[:2] == ["renderer_python", "renderer/match.py"]
    assert game.command(folders, small=True)[-2:] == ["--turns", "2"]


def test_the_plan_names_every_stage_and_runs_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe.main(["--plan", "--out", str(tmp_path / "out")])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [stage.name for stage in RECIPE]
    assert lines[0].endswith(f"--out {tmp_path}/out/data/scenes --seeds 1000-1700")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("stage", RECIPE, ids=lambda stage: stage.name.replace(" ", "_"))
def test_the_module_of_each_stage_is_there(stage: Stage) -> None:
    if stage.module.endswith(".py"):
        if not RENDERER.is_dir():
            pytest.skip("the renderer is not beside this checkout")
        assert (RENDERER / stage.module).is_file()
        return
    path = MODELS.parent / "training" / (stage.module.replace(".", "/") + ".py")
    assert 'if __name__ == "__main__":' in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--only", "fingers"], "There is no stage 'fingers'"), (["--out", "x"], "--renderer is needed")],
    ids=["unknown-stage", "no-renderer"],
)
def test_what_is_missing_or_unknown_ends_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        recipe.main(arguments)
    assert said in capsys.readouterr().err


def test_a_stage_named_before_its_input_is_there_ends_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        "--out",
        str(tmp_path / "out"),
        "--renderer",
        "x",
        "--photos",
        str(tmp_path),
        "--only",
        "placing",
    ]
    with pytest.raises(SystemExit, match="2"):
        recipe.main(given)
    assert "placing needs data/scenes, data/boards, nets/finder.onnx in" in capsys.readouterr().err
