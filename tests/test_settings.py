"""Settings: what is given counts, what is wrong is named with its line, what exists is documented."""

import os
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from companion.rules.family.profiles import ALL_PROFILES
from companion.settings import Settings, SettingsError, line_of, load_settings, parse_settings

DOCS = Path(__file__).resolve().parents[1] / "docs" / "SETTINGS.md"


def test_nothing_given_is_everything_as_it_comes() -> None:
    assert parse_settings("", "x.toml") == Settings()
    assert load_settings(None) == Settings()


def test_given_values_count_and_the_others_stay() -> None:
    text = '[page]\nport = 0\n[camera]\nfps = 10\n[match]\noverrides = { crawford = false, "clock_delay_s" = 9 }\n'
    settings = parse_settings(text, "x.toml")
    assert settings.page.port == 0
    assert settings.camera.fps == 10
    assert settings.match.overrides == {"crawford": False, "clock_delay_s": 9}
    assert settings.lamps == Settings().lamps


def test_paths_are_taken_from_where_the_file_lies(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[camera]\nsource = "./throws"\nboard = "board.json"\n[keep]\nfolder = "/srv/x"\n')
    settings = load_settings(file)
    assert settings.camera.board == str(tmp_path / "board.json")
    assert settings.camera.source == str(tmp_path / "throws")
    assert settings.keep.folder == "/srv/x"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "[camera]\nsuorce = 1\n", r"line 2: there is no camera\.suorce; there are source", id="key"
        ),
        pytest.param("\n\n[kamera]\n", r"line 3: there is no section \[kamera\]", id="section"),
        pytest.param(
            "[page]\n\nport = 'x'\n", r'line 3: page\.port is "x", but must be a whole number', id="kind"
        ),
        pytest.param("[page]\nport = true\n", r"line 2: page\.port is true", id="true is no number"),
        pytest.param("[page]\nport = 70000", r"line 2: page\.port is 70000, .* 0 to 65535", id="range"),
        pytest.param("[camera]\nfps = nan", r"line 2: camera\.fps is nan", id="not a number"),
        pytest.param(
            '[lamps]\npins = "wood"', r"line 2: lamps\.pins .* one of auto, gpio, mock", id="choice"
        ),
        pytest.param('[page]\nlanguage = "xx"', r'line 2: .* one of "", de, en', id="choice with none"),
        pytest.param(
            '[page]\naddress = "board.local"', r"line 2: page\.address .* begin with http://", id="no address"
        ),
        pytest.param(
            "[page]\nport = 8443\nhttps_port = 8443",
            r"line 3: page\.https_port is 8443, the port",
            id="one port",
        ),
        pytest.param('[match]\nsouth = "\\u0000"', r"line 2: match\.south holds a character", id="no letter"),
        pytest.param(
            f'[match]\nnorth = "{"x" * 81}"',
            r"line 2: match\.north is longer than 80 letters",
            id="long name",
        ),
        pytest.param(
            '[match]\nsouth = "Kim"\nnorth = "kim"',
            r"line 3: both players have the same name",
            id="same name",
        ),
        pytest.param(f'[keep]\nfolder = "{"x" * 256}"', r"line 2: keep\.folder is longer", id="long path"),
        pytest.param(
            '[keep]\nfolder = "~nobody-here/x"', r"line 2: There is no such home folder", id="no home"
        ),
        pytest.param(
            '[page]\naddress = "http://"', r"line 2: page\.address .* name a machine", id="no machine"
        ),
        pytest.param('[page]\naddress = "http://x:99999"', r"line 2: page\.address is", id="no port"),
        pytest.param(
            "[buttons]\nhold_s = 0.2\nbounce_s = 0.5",
            r"line 2: buttons\.hold_s must be longer",
            id="no time to hold",
        ),
        pytest.param("[buttons]\n\nbounce_s = 1.0\nhold_s = 1", r"line 4: buttons\.hold_s", id="as long"),
        pytest.param('[camera]\nsource = " "', r"line 2: camera\.source is empty", id="no camera"),
        pytest.param("[lamps]\n\nvalid = 28", r"line 3: lamps\.valid is 28, .* 2 to 27, or 0", id="no pin"),
        pytest.param("[buttons]\ndirector = -1", r"line 2: buttons\.director is -1", id="no button's pin"),
        pytest.param(
            "[lamps]\nbuzzer = 6",
            r"line 2: lamps\.buzzer is 6, the pin of buttons\.south_turn",
            id="pin taken",
        ),
        pytest.param(
            "[buttons]\ndirector = 5\n[lamps]\nlook = 0\nvalid = 5",
            r"line 5: lamps\.valid is 5, the pin of buttons\.director",
            id="pin twice in the file",
        ),
        pytest.param(
            "\nlamps = {south_turn = 6}",
            r"line 2: lamps\.south_turn is 6, the pin of buttons\.south_turn",
            id="pin taken inline",
        ),
        pytest.param(
            "buttons = {director = 5}\nlamps = {look = 0, valid = 5}",
            r"line 2: lamps\.valid is 5, the pin of buttons\.director",
            id="pin twice inline",
        ),
        pytest.param("\npage = { port = 1, prt = 2 }", r"line 2: there is no page\.prt", id="inline"),
        pytest.param("\n[[page]]\nport = 1", r"line 2: page is a section", id="list of sections"),
        pytest.param("page = 3", r"line 1: page is a section", id="section as a value"),
        pytest.param("page.prot = 3", r"line 1: there is no page\.prot", id="dotted"),
        pytest.param(
            "[match]\noverrides = [1]", r"line 2: match\.overrides is \[1\], but must be settings", id="list"
        ),
        pytest.param("[match.overrides]\nx = [1]", r"line 2: There is no setting “x”", id="no such setting"),
        pytest.param(
            "[match.overrides]\n\nclock_delay_s = nan",
            r"line 3: “clock_delay_s” is a whole number .* nan",
            id="nan",
        ),
        pytest.param(
            "[match]\noverrides.clock_delay_s = 1e3", r"line 2: “clock_delay_s” is a whole number", id="float"
        ),
        pytest.param(
            '[match]\nlength = 3\noverrides = { beavers = "never" }',
            r"line 3: .* Did you mean “beaver”\?$",
            id="near",
        ),
        pytest.param(
            '[match]\nprofile = "tavla"\n[match.overrides]\ncrawford = true',
            r"line 3: Profile “tavla”: without a cube there is no Crawford game\.$",
            id="impossible together",
        ),
        pytest.param(
            "[match.overrides]\nclock_stops_for = [[1]]",
            r"line 2: “clock_stops_for” .*, not \[1\]",
            id="no word",
        ),
        pytest.param(
            "[camera]\nmains_hz = true", r"line 2: camera\.mains_hz .* one of 50, 60", id="no hertz"
        ),
        pytest.param(
            "[lamps]\nvalid = 1", r"line 2: lamps\.valid is 1, .* 2 to 27, or 0", id="pin of its own"
        ),
        pytest.param('[match]\nprofile = "modren"', r"line 2: There is no profile “modren”", id="profile"),
        pytest.param("profiles = 3", r"line 1: a profile is a section", id="profiles no section"),
        pytest.param("[profiles]\nclub = 3", r"line 1: a profile is a section", id="profile no section"),
        pytest.param(
            '[profiles.modern]\nbeaver = "never"', r"line 1: The profile “modern” comes with", id="taken name"
        ),
        pytest.param('[profiles."a b"]\n', r"A profile’s name is", id="name"),
        pytest.param(
            '[profiles.club]\nbased_on = "clubs"', r"line 2: There is no profile “clubs”", id="no such base"
        ),
        pytest.param(
            "[profiles.club]\ncube = true\ncrawford = 1",
            r"line 3: “crawford” is true or false, not 1",
            id="own value",
        ),
        pytest.param(
            "[profiles.club]\ngammon = false",
            r"line 1: Profile “club”: a backgammon cannot",
            id="own together",
        ),
        pytest.param(
            "[profiles.club]\n\ntitle = 3", r"line 3: profiles\.club\.title is 3, .* a text", id="own title"
        ),
        pytest.param("[match]\nlength = 2024-01-01", r"line 2: match\.length is 2024-01-01, but", id="date"),
        pytest.param(
            '[match]\noverrides = [true, "x", inf]',
            r'line 2: .* is \[true, "x", Infinity\], but',
            id="list of all",
        ),
        pytest.param("x = " + "[" * 10_000, r"x\.toml: this is no TOML", id="deep"),
        pytest.param("[page]\nport = " + "9" * 5000, r"x\.toml: this is no TOML", id="a long number"),
        pytest.param("[page]\nport = " + "9" * 18, r"line 2: page\.port is 9{18}, ", id="a large number"),
        pytest.param("[page]\nport = \n", r"x\.toml, line 2: this is no TOML", id="no TOML"),
        pytest.param("[page\nport = 1\n", r"x\.toml, line 1: this is no TOML", id="bracket"),
        pytest.param('[page]\nhost = """', r"x\.toml, line 2: this is no TOML", id="open end"),
        pytest.param("[page]\nport = 1\nport = 2\n", r"x\.toml, line 3: something .* twice", id="twice"),
    ],
)
def test_wrong_setting_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        parse_settings(text, "x.toml")
    assert "\n" not in str(caught.value)


def test_start_may_be_a_table_of_points_and_counts() -> None:
    text = "[match]\noverrides = { start = { 24 = 2, 13 = 5, 8 = 3, 6 = 4 }, clock_stops_for = ['break'] }"
    match = parse_settings(text, "x.toml").match
    assert match.overrides == {
        "start": {"24": 2, "13": 5, "8": 3, "6": 4},
        "clock_stops_for": ["break"],
    }


def test_rules_of_ones_own_are_a_section_and_no_code() -> None:
    text = """
    [match]
    profile = "evening"
    [profiles.club]
    based_on = "tavla"
    gammon = true
    start = { 24 = 1, 6 = 2 }
    [profiles.evening]
    based_on = "club"
    title = "Our evening"
    description = "Ours."
    """
    settings = parse_settings(text, "x.toml")
    assert [str(settings.profiles[name].title) for name in ("tavla", "club", "evening")] == [
        "Tavla",
        "club",
        "Our evening",
    ]
    assert set(settings.profiles) == {*ALL_PROFILES, "club", "evening"}
    evening = settings.profiles["evening"]
    assert (evening.checkers, evening.gammon, evening.cube, evening.description) == (3, True, False, "Ours.")


def test_former_settings_of_rules_are_left_out_with_a_notice_that_names_the_line() -> None:
    text = """[match]
    overrides = { dice = "shared_pair", beaver = "never" }
    [profiles.club]
    clock_stops_for = ["between_games", "dispute"]
    gammon = true
    [profiles.evening]
    based_on = "club"
    dispute = "left_as_it_lies"
    """
    settings = parse_settings(text, "x.toml")
    assert settings.match.overrides == {"beaver": "never"}
    assert settings.profiles["evening"].settings()["clock_stops_for"] == ["dispute"]
    begins = [notice[: notice.index("is no longer")] for notice in settings.notices]
    assert sorted(begins) == [
        "x.toml, line 2: “dice” ",
        "x.toml, line 4: “between_games” ",
        "x.toml, line 8: “dispute” ",
    ]
    assert all(notice.endswith(". It can be left out.") for notice in settings.notices)
    assert parse_settings("[match]\noverrides = { beaver = 'never' }", "x.toml").notices == ()


def test_former_setting_does_not_hide_another_fault() -> None:
    with pytest.raises(SettingsError, match="line 3: There is no setting “beavers”"):
        parse_settings('[profiles.club]\ndice = "x"\nbeavers = 1', "x.toml")
    with pytest.raises(SettingsError, match=r"match\.overrides is 3, but must be settings"):
        parse_settings("[match]\noverrides = 3", "x.toml")


@pytest.mark.parametrize("title", ['""', '"' + "x" * 61 + '"', "3", '"a\\u0007b"'])
def test_title_of_rules_is_a_line_of_text(title: str) -> None:
    with pytest.raises(SettingsError, match=r"line [12]: .*title"):
        parse_settings(f"[profiles.club]\ntitle = {title}", "x.toml")


def test_name_is_counted_in_letters() -> None:
    assert parse_settings(f'[match]\nsouth = "{"名" * 80}"', "x.toml").match.south == "名" * 80


def test_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xef\xbb\xbf[page]\nport = 7\n")
    assert load_settings(file).page.port == 7


@pytest.mark.parametrize("make", ["missing", "folder", "binary"])
def test_file_that_cannot_be_read_is_named(tmp_path: Path, make: str) -> None:
    file = tmp_path / "settings.toml"
    if make == "folder":
        file.mkdir()
    elif make == "binary":
        file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        load_settings(file)


def link_to_a_pipe(file: Path) -> None:
    """As a shell names what another program writes."""
    os.mkfifo(file.with_name("pipe"))
    file.symlink_to("pipe")


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        Path.mkdir,
        lambda file: file.symlink_to("/dev/zero"),
        link_to_a_pipe,
    ],
    ids=["pipe", "folder", "device", "link to a pipe"],
)
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, make: Callable[[Path], None]) -> None:
    file = tmp_path / "settings.toml"
    make(file)
    with pytest.raises(SettingsError) as refused:
        load_settings(file)
    assert str(refused.value) == f"The settings {file} cannot be read: it is no file."


def test_nothing_at_all_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").symlink_to(os.devnull)
    assert load_settings(tmp_path / "settings.toml") == Settings()


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"\xff", 1), (b"\xef\xbb\xbf\xff", 1), (b'[match]\nlength = 3\nsouth = "J\xf6rg"\n', 3)],
)
def test_letter_that_is_no_utf_8_is_named_with_its_line(tmp_path: Path, data: bytes, line: int) -> None:
    (tmp_path / "s.toml").write_bytes(data)
    with pytest.raises(SettingsError, match=rf"s\.toml, line {line}: this is no text in UTF-8\.$"):
        load_settings(tmp_path / "s.toml")


@pytest.mark.parametrize(
    "text",
    [
        "[page]\n\nport = {}",
        "[camera]\n\nfps = {}",
        "[lamps]\n\nvalid = {}",
        "[lamps]\n\npins = {}",
        "[match]\n\nsouth = {}",
        "[match]\n\noverrides.clock_delay_s = {}",
        "[match.overrides]\n\nclock_stops_for = ['dispute', [{}]]",
        "[profiles.club]\n\nstart = {{ 6 = {} }}",
    ],
)
@pytest.mark.parametrize(
    "number", ["9" * 400, "-" + "9" * 400, "0x" + "f" * 5000], ids=["400", "-400", "hex"]
)
def test_number_of_hundreds_of_digits_is_a_fault_like_any_other(text: str, number: str) -> None:
    with pytest.raises(SettingsError, match=r"^s\.toml, line 3: .*(9…|number)") as caught:
        parse_settings(text.format(number), "s.toml")
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "text",
    [
        "[camera]\n{} = 1",
        "[{}]\nx = 1",
        "{} = 1",
        "[lamps]\npins = '{}'",
        "[page]\nport = '{}'",
        "[page]\naddress = 'ftp://{}'",
        "[match]\nprofile = '{}'",
        "[match.overrides]\n{} = 1",
        "[match]\noverrides.beaver = '{}'",
        "[profiles.{}]\ncube = true",
        "[profiles.club]\n{} = 1",
        "[profiles.club]\nbased_on = '{}'",
    ],
)
def test_what_is_long_is_named_by_its_beginning(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(text.format("x" * 5000), "s.toml")
    assert len(str(caught.value)) < 600


def test_key_over_two_lines_is_named_in_one() -> None:
    with pytest.raises(SettingsError, match=r'^s\.toml, line 1: there is no camera\."a\\nb"; ') as caught:
        parse_settings('[camera]\n"a\\nb" = 1', "s.toml")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("number", ["0", "1000001", "123456789"])
def test_range_is_told_to_the_last_digit(number: str) -> None:
    with pytest.raises(SettingsError, match=f"is {number}, but must be a whole number from 1 to 1000000"):
        parse_settings(f"[keep]\npictures_mb = {number}", "s.toml")


def test_line_is_found_under_its_own_section() -> None:
    text = "# port\n[lamps]\nlook = 4\n\n[ buttons ]\n  'director' = 7\nlook=3\n"
    assert line_of(text, "lamps.look") == 3
    assert line_of(text, "buttons.director") == 6
    assert line_of(text, "buttons.look") == 7
    assert line_of(text, "camera.look") is None


def test_every_key_is_documented_with_its_default_and_no_other_is() -> None:
    rows = dict(re.findall(r"^\| `([a-z]+\.[a-z_]+)` \| `([^`]*)` \|", DOCS.read_text("utf-8"), re.MULTILINE))
    sections = {one.name: one.default for one in fields(Settings) if is_dataclass(one.default)}
    assert set(rows) == {f"{name}.{key.name}" for name, kept in sections.items() for key in fields(kept)}
    defaults = parse_settings("\n".join(f"{key} = {value}" for key, value in rows.items()), "docs")
    assert defaults == Settings()


@pytest.mark.parametrize("name", ["SETTINGS.md", "PROFILES.md"])
def test_examples_in_the_docs_are_settings_files(name: str) -> None:
    text = DOCS.with_name(name).read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        assert parse_settings(example, "docs") != Settings()


def test_fault_that_came_of_a_setting_names_its_line_and_no_other_does() -> None:
    settings = parse_settings("[keep]\n\nfolder = 'x'\n[camera]\nboard = 'y'\n", "x.toml")
    assert settings.named("keep.folder", "It is no folder.") == "x.toml, line 3: It is no folder."
    assert settings.named("camera.source", "There is none.") == "There is none."
    assert Settings().named("keep.folder", "It is no folder.") == "It is no folder."
    with pytest.raises(OSError, match=r"^x\.toml, line 5: gone$"), settings.blaming("camera.board", OSError):
        raise OSError("gone")
    with pytest.raises(KeyError, match=r"^'gone'$"), settings.blaming("camera.board", OSError):
        raise KeyError("gone")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            'home = "left"',
            "x.toml, line 3: Under Tournament South’s home board is on his right.",
        ),
        ('south_checkers = "dark"', "x.toml, line 3: Under Tournament south has the light checkers."),
    ],
)
def test_an_orientation_that_the_rules_do_not_allow_is_refused_with_its_line(tmp_path, line, sentence):
    file = tmp_path / "x.toml"
    file.write_text(f'[match]\nprofile = "tournament"\n{line}\n')
    with pytest.raises(SettingsError) as found:
        load_settings(file)
    assert str(found.value).endswith(sentence)
