"""Renders boards with many dice each, every die from a throw of its own: the training pictures of the nets.

    python -m vision.training.rendered.boards --renderer DIR --out DIR --seeds A-B [--leaning | --raised | --empty]

The renderer (Blender Cycles with MuJoCo; see its README for requirements) is not part of this project: its folder is
an argument, and its truth format is kept. Palettes are our own, drawn for each seed, so that the nets memorise no board
and no die. `--leaning` prefers throws that end against something, `--raised` those that end on something;
`--empty` makes half-size boards for the corners.
"""

import argparse
import colorsys
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

EVEN = {
    "valid": 5, "edge": 3, "checker": 5, "on_checker": 3, "rim": 2, "bar": 2, "die": 2, "stacked": 2, "on_bar": 1,
    "on_rim": 1, "tray": 1,
}  # fmt: skip
LEANING = {
    "valid": 2, "edge": 3, "checker": 9, "on_checker": 1, "rim": 4, "bar": 4, "die": 4, "stacked": 2, "on_bar": 1,
    "on_rim": 1, "tray": 1,
}  # fmt: skip
RAISED = {
    "valid": 3, "edge": 3, "checker": 2, "on_checker": 5, "rim": 2, "bar": 2, "die": 2, "stacked": 9, "on_bar": 1,
    "on_rim": 2, "tray": 1,
}  # fmt: skip
"""Number of attempts at each kind of throw per round; the simulation decides the result."""
DICE = 26
CLEAR_MM = 27.0
"""Least distance between dice of different throws, so that none seems to touch another."""


def random_hex(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> str:
    """A random colour in the renderer's notation, rrggbb, its HSV value between the bounds, 0 to 1."""
    rgb = colorsys.hsv_to_rgb(rng.random(), rng.random() ** 1.5, rng.uniform(low, high))
    return "".join(f"{int(255 * c):02x}" for c in rgb)


def brightness(hexed: str) -> float:
    """Approximate brightness of an rrggbb colour, 0 to 1."""
    r, g, b = (int(hexed[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return r * 0.3 + g * 0.6 + b * 0.1


class Studio:
    """The renderer's modules, with our own palettes."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        import phys  # type: ignore[import-not-found]
        import render  # type: ignore[import-not-found]
        import spec  # type: ignore[import-not-found]

        self.spec, self.phys, self.render = spec, phys, render
        self.palettes = dict(spec.BOARDS), dict(spec.CHECKERS), dict(spec.DICE)

    def new_palettes(self, seed: int) -> None:
        """Draw new palettes: three boards and three sets of checkers in four get random colours, not those of shops."""
        rng = self.spec.rng_for(seed, "palette")
        self.spec.BOARDS, self.spec.CHECKERS = dict(self.palettes[0]), dict(self.palettes[1])
        if rng.random() < 0.75:
            surface = str(rng.choice(["felt", "leather", "wood", "cork", "vinyl"]))
            colours = [random_hex(rng, 0.1, 0.95), random_hex(rng, 0.05, 0.95), random_hex(rng, 0.05, 0.95)]
            frame = str(rng.choice(["wood", "leather"]))
            rims = [random_hex(rng, 0.05, 0.8), random_hex(rng, 0.05, 0.8)]
            self.spec.BOARDS = {"own": (surface, *colours, frame, *rims)}
        if rng.random() < 0.75:
            pair = random_hex(rng, 0.55, 0.98), random_hex(rng, 0.05, 0.55)
            self.spec.CHECKERS = {"own": (*pair, str(rng.choice(["plastic", "pearl", "wood"])))}

    def dressed(
        self, shape: dict[str, Any], rng: np.random.Generator, scene: dict[str, Any]
    ) -> dict[str, Any]:
        """A die of this shape in the colours of a shop, of the checkers, or random ones."""
        name, look = "own", None
        if rng.random() < 0.45:
            name = self.spec.pick(rng, self.palettes[2])
            look = self.palettes[2][name]
        else:
            look = self._own_look(rng, scene)
        die = dict(shape, scheme=name)
        die["one_scale"] = float(rng.uniform(1.5, 2.0)) if look[5] else 1.0
        die["four_red"] = bool(look[5] and rng.random() < 0.4)
        die["handed"] = "left" if (look[5] or rng.random() < 0.3) else "right"
        die["face_rot"] = [int(x) for x in rng.integers(0, 2, 6)]
        die["body"], die["pip"] = self.spec.hx(look[0]), self.spec.hx(look[1])
        die["one"] = self.spec.hx(look[2]) if look[2] else None
        die["trans"], die["rough"] = look[3], look[4]
        die["pip_r"], die["pip_off"] = float(rng.uniform(0.075, 0.12)), float(rng.uniform(0.225, 0.285))
        die["pip_depth"] = float(rng.uniform(0.0, 0.05))
        return die

    def _own_look(self, rng: np.random.Generator, scene: dict[str, Any]) -> tuple[Any, ...]:
        if rng.random() < 0.2:
            checkers = self.spec.CHECKERS[scene["checker_palette"]]
            body = checkers[int(rng.integers(2))]
        else:
            body = random_hex(rng, 0.05, 0.98)
        bright = brightness(body)
        while True:
            usual = "f2f0ea" if bright < 0.5 else "141414"
            pip = random_hex(rng) if rng.random() < 0.5 else usual
            if abs(brightness(pip) - bright) > 0.33:
                break
        one = random_hex(rng, 0.3, 0.9) if rng.random() < 0.12 and bright > 0.6 else None
        clear = float(rng.uniform(0.4, 0.8)) if rng.random() < 0.25 else 0.0
        return body, pip, one, clear, float(rng.uniform(0.15, 0.4)), int(rng.random() < 0.1)


class Thrower:
    """Throws pairs of dice onto one board."""

    def __init__(
        self, studio: Studio, scene: dict[str, Any], layout: list[dict[str, Any]], cube: Any
    ) -> None:
        self.studio, self.scene, self.layout = studio, scene, layout
        self.rng = studio.spec.rng_for(scene["seed"], "many")
        self.world = studio.phys.World(scene, layout, cube, self.rng)
        self.size = scene["dice"][0]["size"]

    def throw(self, aim: str) -> list[dict[str, Any]] | None:
        """The two dice of one simulated, aimed throw; None if they did not come to rest."""
        side = 1 if self.rng.random() < 0.5 else -1
        start = self.studio.phys.throw_init(self.scene, self.rng, side)
        getattr(self, f"_aim_{aim}", lambda *_: None)(start, side)
        if self.world.run(start, tmax=1.8) is None:
            return None
        _, dice = self.world.classify()
        return list(dice)

    def _drop(self, start: list[Any], at: list[float], speed: float = 60.0, spin: float = 8.0) -> None:
        rng = self.rng
        start[int(rng.integers(2))] = (
            at,
            self.studio.phys.rq(rng),
            rng.normal(0, speed, 3),
            rng.normal(0, spin, 3),
        )

    def _half_x(self, side: int, low: float, high: float) -> float:
        g = self.scene["geom"]
        return float(side * (g["bar_w"] / 2 + self.rng.uniform(low, high) * g["half_w"]))

    def _aim_checker(self, start: list[Any], side: int) -> None:
        rng, g = self.rng, self.scene["geom"]
        on_points = [c for c in self.layout if isinstance(c["where"], int)]
        if not on_points:
            return
        c, a = on_points[int(rng.integers(len(on_points)))], rng.uniform(0, 2 * math.pi)
        r = g["checker_d"] / 2 + rng.uniform(-3, self.size * 0.6)
        self._drop(start, [c["x"] + r * math.cos(a), c["y"] + r * math.sin(a), c["z"] + rng.uniform(16, 32)])

    def _aim_rim(self, start: list[Any], side: int) -> None:
        rng, g = self.rng, self.scene["geom"]
        inside, z = rng.uniform(2, self.size * 0.75), rng.uniform(14, 32)
        if rng.random() < 0.4:
            at = [side * (g["W"] / 2 - inside), rng.uniform(-0.45, 0.45) * g["H"], z]
        else:
            at = [self._half_x(side, 0.05, 0.95), float(rng.choice([-1, 1])) * (g["H"] / 2 - inside), z]
        self._drop(start, at)

    def _aim_bar(self, start: list[Any], side: int) -> None:
        rng, g = self.rng, self.scene["geom"]
        x = side * (g["bar_w"] / 2 + rng.uniform(2, self.size * 0.75))
        self._drop(start, [x, rng.uniform(-0.45, 0.45) * g["H"], rng.uniform(14, 32)])

    def _aim_die(self, start: list[Any], side: int) -> None:
        rng, g, s = self.rng, self.scene["geom"], self.size
        q = [self._half_x(side, 0.2, 0.8), rng.uniform(-0.15, 0.15) * g["H"], s / 2 + 0.3]
        a, r = rng.uniform(0, 2 * math.pi), s * rng.uniform(0.6, 1.3)
        start[0] = (q, self.studio.phys.flat_q(rng), [0, 0, 0], [0, 0, 0])
        at = [q[0] + r * math.cos(a), q[1] + r * math.sin(a), rng.uniform(18, 34)]
        start[1] = (at, self.studio.phys.rq(rng), rng.normal(0, 60, 3), rng.normal(0, 8, 3))

    def _aim_stacked(self, start: list[Any], side: int) -> None:
        rng, g, s = self.rng, self.scene["geom"], self.size
        q = [self._half_x(side, 0.15, 0.85), rng.uniform(-0.2, 0.2) * g["H"], s / 2 + 0.3]
        start[0] = (q, self.studio.phys.flat_q(rng), [0, 0, 0], [0, 0, 0])
        at = [
            q[0] + rng.uniform(-0.5, 0.5) * s,
            q[1] + rng.uniform(-0.5, 0.5) * s,
            s * rng.uniform(1.55, 2.2) + 2,
        ]
        start[1] = (at, self.studio.phys.flat_q(rng, 0.25), rng.normal(0, 15, 3), rng.normal(0, 2, 3))

    def _aim_on_checker(self, start: list[Any], side: int) -> None:
        rng, g, s = self.rng, self.scene["geom"], self.size
        tops = [c for c in self.layout if isinstance(c["where"], int) and not self._covered(c)]
        for j in range(2 if tops else 0):
            c, a = tops[int(rng.integers(len(tops)))], rng.uniform(0, 2 * math.pi)
            r = g["checker_d"] / 2 * rng.uniform(0, 0.95)
            z = c["z"] + g["checker_t"] + s * rng.uniform(0.75, 1.3)
            at = [c["x"] + r * math.cos(a), c["y"] + r * math.sin(a), z]
            still = rng.normal(0, 40, 3) * [1, 1, 0]
            start[j] = (at, self.studio.phys.flat_q(rng, 0.3), still, rng.normal(0, 3, 3))

    def _covered(self, c: dict[str, Any]) -> bool:
        return any(
            o["z"] > c["z"] and abs(o["x"] - c["x"]) < 20 and abs(o["y"] - c["y"]) < 20 for o in self.layout
        )

    def _aim_edge(self, start: list[Any], side: int) -> None:
        """Flat on the floor, close to a checker: valid, but similar to a leaning die."""
        rng, g, s = self.rng, self.scene["geom"], self.size
        for j in range(2):
            x = y = 0.0
            for _ in range(30):
                x, y = (
                    rng.uniform(-1, 1) * (g["W"] / 2 - s * 0.75),
                    rng.uniform(-1, 1) * (g["H"] / 2 - s * 0.75),
                )
                away = min((math.hypot(c["x"] - x, c["y"] - y) for c in self.layout), default=99.0)
                clear = away > g["checker_d"] / 2 + s * 0.5 and abs(x) > g["bar_w"] / 2 + s * 0.75
                if clear and (away < g["checker_d"] / 2 + s * 1.2 or rng.random() < 0.2):
                    break
            start[j] = ([x, y, s / 2 + 1.5], self.studio.phys.flat_q(rng), [0, 0, 0], [0, 0, 0])

    def _aim_on_bar(self, start: list[Any], side: int) -> None:
        rng, g = self.rng, self.scene["geom"]
        at = [
            rng.normal(0, 0.2) * g["bar_w"],
            rng.uniform(-0.45, 0.45) * g["H"],
            g["bar_h"] + self.size * 0.5 + 2,
        ]
        start[0] = (at, self.studio.phys.flat_q(rng, 0.15), rng.normal(0, 20, 3), rng.normal(0, 2, 3))

    def _aim_on_rim(self, start: list[Any], side: int) -> None:
        rng, g = self.rng, self.scene["geom"]
        y = float(rng.choice([-1, 1])) * (g["H"] / 2 + g["rim_w"] * rng.uniform(0.2, 0.8))
        at = [self._half_x(side, 0, 1), y, g["rim_h"] + self.size * 0.5 + 2]
        start[0] = (at, self.studio.phys.flat_q(rng, 0.1), rng.normal(0, 10, 3), rng.normal(0, 2, 3))

    def _aim_tray(self, start: list[Any], side: int) -> None:
        rng, g = self.rng, self.scene["geom"]
        x = side * (g["W"] / 2 + g["inner_rim_w"] + g["tray_w"] * rng.uniform(0.3, 0.7))
        self._drop(start, [x, rng.uniform(-0.4, 0.4) * g["H"], 50], 90, 10)


def crowd(thrower: Thrower, camera: dict[str, Any], aims: dict[str, int], limit_s: float) -> list[list[Any]]:
    """Throws until DICE dice rest apart from each other, 150 throws, or `limit_s` seconds: lists of one or two dice."""
    rng, pairs, resting = thrower.rng, [], []
    order = [aim for aim, times in aims.items() for _ in range(times)]
    end = time.time() + limit_s
    turn = 0
    while len(resting) < DICE and turn < 150 and time.time() < end:
        aim = order[turn % len(order)] if turn else "valid"
        if turn % len(order) == 0:
            rng.shuffle(order)
        turn += 1
        pair = _wanted(thrower, aim)
        kept = [die for die in pair if _is_apart(die, resting, camera, thrower)]
        touching = any(f"die{k}" in die["support"] for die in pair for k in range(2))
        if not kept or (touching and len(kept) < 2):
            continue
        if aims is LEANING and aim in ("checker", "rim", "bar") and rng.random() < 0.6:
            kept = [die for die in kept if die["state"] != "flat"] or kept[:1]
        pairs.append(kept)
        resting += kept
    return pairs


def _wanted(thrower: Thrower, aim: str) -> list[dict[str, Any]]:
    """A throw with the intended result, or the last of forty attempts."""
    pair: list[dict[str, Any]] = []
    for _ in range(40):
        pair = thrower.throw(aim) or []
        states = {die["state"] for die in pair}
        if aim in ("valid", "edge", "tray") or "tilted" in states:
            break
        if aim not in ("checker", "rim", "bar", "die") and states - {"flat", "reject"}:
            break
    return pair


def _is_apart(
    die: dict[str, Any], resting: list[dict[str, Any]], camera: dict[str, Any], thrower: Thrower
) -> bool:
    if die["state"] == "reject":
        return False
    x, y = thrower.studio.spec.project(camera, [die["pos"]])[0]
    if not (8 < x < camera["W"] - 8 and 8 < y < camera["H"] - 8):
        return False
    return all(np.linalg.norm(np.array(die["pos"]) - other["pos"]) > CLEAR_MM for other in resting)


def crowded(studio: Studio, seed: int, aims: dict[str, int], out: Path) -> str:
    """Render one board with many dice; returns the file's name."""
    import blend  # type: ignore[import-not-found]
    import post  # type: ignore[import-not-found]

    studio.new_palettes(seed)
    scene = studio.spec.sample(seed, "many")
    scene["res"] = (1280, 720) if seed % 3 else (1280, 960)
    rng = studio.spec.rng_for(seed, "layout")
    layout = studio.spec.checker_layout(scene, scene["position"], rng)
    cube, camera = studio.spec.cube_pose(scene, layout, rng), studio.spec.camera(scene)
    thrower = Thrower(studio, scene, layout, cube)
    dice, looks = [], []
    shapes = scene["dice"]
    for pair in crowd(thrower, camera, aims, 12.0):
        one = studio.dressed(shapes[0], thrower.rng, scene)
        same = thrower.rng.random() < 0.6
        other = dict(one) if same else studio.dressed(shapes[1], thrower.rng, scene)
        for die, look in zip(pair, (one, other), strict=False):
            dice.append(die)
            looks.append(look)
    scene["dice"] = looks
    stage = blend.Scene(scene, layout, cube, camera)
    for i, die in enumerate(dice):
        stage.set_die(i, die["pos"], die["quat"])
    samples = 28 if any(look["trans"] for look in looks) else 14
    light = stage.render([stage.silhouette(i, die) for i, die in enumerate(dice)], samples)
    known = {
        "dice": [studio.render.die_gt(scene, camera, i, die) for i, die in enumerate(dice)],
        "checkers_mm": [[round(float(c[k]), 2) for k in "xyz"] for c in layout],
    }
    return _develop(studio, post, scene, camera, light, out / f"many_{seed:06d}", known)


def empty(studio: Studio, seed: int, out: Path) -> str:
    """Render one board at half size, with the bar's corners in its truth; returns the file's name."""
    import blend
    import post

    studio.new_palettes(seed)
    scene = studio.spec.sample(seed, "low")
    rng = studio.spec.rng_for(seed, "low")
    scene["res"] = [(512, 288), (512, 384)][int(rng.random() < 0.35)]
    if rng.random() < 0.4:
        scene["cam_loose"] = float(rng.uniform(1, 1.6))
    rng = studio.spec.rng_for(seed, "layout")
    layout = studio.spec.checker_layout(scene, scene["position"], rng)
    cube, camera = studio.spec.cube_pose(scene, layout, rng), studio.spec.camera(scene)
    stage = blend.Scene(scene, layout, cube, camera)
    for i in range(2):
        stage.set_die(i, None, None, hide=True)
    b, h = scene["geom"]["bar_w"] / 2, scene["geom"]["H"] / 2
    bar = studio.spec.project(camera, [(-b, h, 0), (b, h, 0), (b, -h, 0), (-b, -h, 0)])
    truth = {"bar_px": studio.render.rnd(bar)}
    return _develop(studio, post, scene, camera, stage.render(), out / f"low_{seed:06d}", truth)


def _develop(
    studio: Studio, post: Any, scene: Any, camera: Any, light: Any, path: Path, truth: dict[str, Any]
) -> str:
    settings = post.params(scene)
    post.save(
        str(path.with_suffix(".jpg")),
        post.develop(scene, light, settings, post.auto(scene, light, settings), 0),
        settings,
    )
    known = {
        "image": path.with_suffix(".jpg").name,
        **studio.render.base_gt(scene, camera, settings),
        **truth,
    }
    path.with_suffix(".json").write_text(json.dumps(known))
    return path.name


def main() -> None:
    """Render every seed that has no truth file yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--renderer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", required=True, metavar="A-B")
    parser.add_argument("--leaning", action="store_true")
    parser.add_argument("--raised", action="store_true")
    parser.add_argument("--empty", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    first, last = (int(v) for v in args.seeds.split("-"))
    studio = Studio(args.renderer)
    for seed in range(first, last + 1):
        if (args.out / f"{'low' if args.empty else 'many'}_{seed:06d}.json").exists():
            continue
        if args.empty:
            name = empty(studio, seed, args.out)
        else:
            aims = LEANING if args.leaning else RAISED if args.raised else EVEN
            name = crowded(studio, seed, aims, args.out)
        print(time.strftime("%H:%M:%S"), name, flush=True)


if __name__ == "__main__":
    main()
