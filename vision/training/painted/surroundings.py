"""All of a painted picture but the board: what it lies on, lamps, hands, stream graphics, the camera's faults."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.training.painted.field import fill, grained, outline
from vision.training.painted.plan import Colour, Picture, apart, random_colour, shaded


def background(
    rng: np.random.Generator, size: tuple[int, int], photographs: Sequence[Picture] = ()
) -> Picture:
    """A table, a cloth, a black room, a piece of a photograph, with or without clutter; size is (width, height)."""
    w, h = size
    kind = rng.random()
    if photographs and kind < 0.3:
        out = _piece(rng, size, photographs)
    elif kind < 0.45:
        dark = rng.uniform(0, 30)
        out = np.full((h, w, 3), dark, np.uint8)
    elif kind < 0.55:
        out = np.full((h, w, 3), rng.uniform(225, 256), np.uint8)
    else:
        base = np.array(random_colour(rng), np.float32)
        out = np.clip(base * grained(rng, (h, w)) * grained(rng, (h, w)), 0, 255).astype(np.uint8)
        if rng.random() < 0.2:  # planks, tiles
            step = int(rng.integers(15, 90))
            for x in range(int(rng.integers(step)), w, step):
                cv2.line(out, (x, 0), (x, h), tuple(float(v) for v in base * 0.7), 1)
    if rng.random() < 0.55:
        _clutter(rng, out)
    return out


def _piece(rng: np.random.Generator, size: tuple[int, int], photographs: Sequence[Picture]) -> Picture:
    photo = photographs[int(rng.integers(len(photographs)))]
    wide = int(photo.shape[1] * rng.uniform(0.4, 1.0))
    high = min(int(wide * size[1] / size[0]), photo.shape[0])
    x, y = int(rng.integers(photo.shape[1] - wide + 1)), int(rng.integers(photo.shape[0] - high + 1))
    cut = cv2.resize(photo[y : y + high, x : x + wide], size, interpolation=cv2.INTER_AREA)
    return np.asarray(cut[:, ::-1] if rng.random() < 0.5 else cut, np.uint8).copy()


def _clutter(rng: np.random.Generator, out: Picture) -> None:
    """Papers, books, cups, clocks, cables, loose checkers."""
    h, w = out.shape[:2]
    for _ in range(int(rng.integers(1, 9))):
        x, y = float(rng.uniform(0, w)), float(rng.uniform(0, h))
        colour, kind = random_colour(rng), int(rng.integers(6))
        if kind < 3:
            sides = (float(rng.uniform(10, 0.4 * w)), float(rng.uniform(8, 0.35 * w)))
            angle = float(rng.choice((0.0, 90.0, float(rng.uniform(0, 90)))))
            box = np.asarray(cv2.boxPoints(((x, y), sides, angle)), np.float64)
            fill(out, box, colour)
            if kind == 1:
                outline(out, box, random_colour(rng), 2)
            elif kind == 2:
                text = str(rng.integers(100, 9999))
                cv2.putText(out, text, (int(x) - 20, int(y)), 0, 0.6, apart(rng, colour), 1, cv2.LINE_AA)
        elif kind == 3:
            r = int(rng.uniform(4, 0.1 * w))
            cv2.circle(out, (int(x), int(y)), r, colour, -1, cv2.LINE_AA)
            cv2.circle(out, (int(x), int(y)), int(r * 0.75), random_colour(rng), -1, cv2.LINE_AA)
        elif kind == 4:
            end = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
            cv2.line(out, (int(x), int(y)), end, colour, int(rng.integers(1, 9)), cv2.LINE_AA)
        else:
            for _ in range(int(rng.integers(2, 9))):
                at = (int(x + rng.normal(0, 20)), int(y + rng.normal(0, 20)))
                cv2.circle(out, at, max(3, w // 50), colour, -1, cv2.LINE_AA)


def light(rng: np.random.Generator, picture: Picture) -> Picture:
    """One lamp or several: a slope, a dark edge, a glare, a shadow's edge."""
    h, w = picture.shape[:2]
    out = picture.astype(np.float32)
    x, y = np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32)
    if rng.random() < 0.6:
        slope = rng.normal(0, 0.22, 2).astype(np.float32)
        out *= (np.clip(1 + slope[0] * x, 0.3, 1.7)[None] * np.clip(1 + slope[1] * y, 0.3, 1.7)[:, None])[
            ..., None
        ]
    if rng.random() < 0.2:
        out *= (1 - np.float32(rng.uniform(0, 0.3)) * (x[None] ** 2 + y[:, None] ** 2))[..., None]
    for _ in range(int(rng.choice((0, 1, 2), p=(0.7, 0.2, 0.1)))):
        cx, cy, r = rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9), rng.uniform(0.05, 0.35)
        glare = np.exp(-(((x[None] - cx) ** 2 + (y[:, None] - cy) ** 2) / r**2))
        out += (np.float32(rng.uniform(40, 230)) * glare)[..., None]
    if rng.random() < 0.2:
        mask = np.zeros((h, w), np.uint8)
        fill(mask, rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (w, h), (255,) * 3)
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 9))).astype(np.float32) / 255
        out *= 1 - np.float32(rng.uniform(0.1, 0.6)) * soft[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


SKINS: tuple[Colour, ...] = ((150, 180, 225), (120, 150, 205), (90, 120, 180), (60, 85, 130), (40, 55, 85))


def cover(rng: np.random.Generator, picture: Picture) -> Picture:
    """Hands and sleeves, stream graphics, a watermark: what is in front of the board."""
    out = picture.copy()
    for _ in range(int(rng.choice((0, 1, 2), p=(0.72, 0.22, 0.06)))):
        _arm(rng, out)
    if rng.random() < 0.12:
        _graphics(rng, out)
    if rng.random() < 0.1:
        _watermark(rng, out)
    return out


def _arm(rng: np.random.Generator, out: Picture) -> None:
    h, w = out.shape[:2]
    edge = int(rng.integers(4))
    along = float(rng.uniform(0, 1))
    start = np.array([(along * w, 0), (w, along * h), (along * w, h), (0, along * h)][edge])
    end = start + (np.array([0.5 * w, 0.5 * h]) + rng.normal(0, 0.22, 2) * (w, h) - start) * rng.uniform(
        0.2, 0.9
    )
    way = (end - start) / max(1.0, float(np.linalg.norm(end - start)))
    wide = w * rng.uniform(0.05, 0.14)
    across = np.array([-way[1], way[0]])
    skin, sleeve = SKINS[int(rng.integers(len(SKINS)))], random_colour(rng)
    cuff = start + (end - start) * rng.uniform(0.2, 0.8)
    start = start - way * 40
    fill(
        out,
        np.stack(
            [
                start + across * wide,
                start - across * wide,
                end - across * wide * 0.45,
                end + across * wide * 0.45,
            ]
        ),
        skin,
    )
    if rng.random() < 0.8:
        fill(
            out,
            np.stack(
                [
                    start + across * wide * 1.3,
                    start - across * wide * 1.3,
                    cuff - across * wide,
                    cuff + across * wide,
                ]
            ),
            sleeve,
        )
    cv2.circle(out, (int(end[0]), int(end[1])), int(wide * 0.6), skin, -1, cv2.LINE_AA)
    shade = shaded(skin, 0.93)
    for k in range(4):
        root = end + across * wide * (k - 1.5) * 0.35
        tip = root + way * wide * rng.uniform(0.7, 1.5) + across * rng.normal(0, 0.2) * wide
        points = [(int(p[0]), int(p[1])) for p in (root, tip)]
        cv2.line(out, points[0], points[1], (skin, shade)[k % 2], max(2, int(wide * 0.3)), cv2.LINE_AA)


def _letters(rng: np.random.Generator) -> str:
    return "".join(
        rng.choice(list("ABCDEFGHIKLMNOPRSTUVabcdeiklmnorstu 0123456789:-"), int(rng.integers(4, 18)))
    )


def _graphics(rng: np.random.Generator, out: Picture) -> None:
    """Banners, score flaps and frames of a stream, over the picture's edges."""
    h, w = out.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        high, wide = int(h * rng.uniform(0.04, 0.14)), int(w * rng.uniform(0.15, 1.0))
        x = int(rng.choice((0, w - wide, int(rng.integers(0, w - wide + 1)))))
        y = 0 if rng.random() < 0.5 else h - high
        if rng.random() < 0.3:
            x, y, wide, high = (0 if rng.random() < 0.5 else w - w // 6), 0, w // 6, h
        colour = random_colour(rng)
        cv2.rectangle(out, (x, y), (x + wide, y + high), colour, -1)
        cv2.putText(
            out,
            _letters(rng),
            (x + 4, y + max(10, high - 6)),
            0,
            min(high, 40) / 45,
            apart(rng, colour),
            1,
            cv2.LINE_AA,
        )


def _watermark(rng: np.random.Generator, out: Picture) -> None:
    h, w = out.shape[:2]
    text, size = _letters(rng), float(rng.uniform(0.4, 0.9))
    over = np.zeros((h, w), np.uint8)
    for y in range(0, h * 2, int(rng.integers(40, 110))):
        for x in range(0, w, int(rng.integers(70, 200))):
            cv2.putText(over, text, (x, y), 0, size, 255, 1 + int(rng.integers(2)), cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(-60, 60)), 1.0)
    share = (
        cv2.warpAffine(over, turn, (w, h)).astype(np.float32)[..., None]
        / 255
        * np.float32(rng.uniform(0.1, 0.5))
    )
    out[:] = np.clip(out * (1 - share) + share * float(rng.choice((0, 255))), 0, 255)


NOISE = np.random.default_rng(5).standard_normal(1 << 21).astype(np.float32)


def spoil(rng: np.random.Generator, picture: Picture) -> Picture:
    """A video camera's faults: exposure, colours, soft lens, few pixels, noise, few colours, JPEG, halos."""
    h, w = picture.shape[:2]
    out = picture
    level = np.arange(256, dtype=np.float32)[:, None]
    gain = rng.uniform(0.25, 0.6) if rng.random() < 0.13 else rng.uniform(0.75, 1.4)
    curve = level * np.exp(rng.normal(0, 0.09, 3)) * gain + rng.normal(0, 9)
    curve = 255 * np.power(np.clip(curve, 0, 255) / 255, np.exp(rng.normal(0, 0.22)))
    out = cv2.LUT(out, np.clip(curve, 0, 255).astype(np.uint8)[:, None, :].reshape(256, 1, 3))
    if rng.random() < 0.08:
        out = np.repeat(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)[..., None], 3, -1)
    if rng.random() < 0.2:
        small = cv2.resize(out, None, fx=(s := rng.uniform(0.4, 0.9)), fy=s, interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.35:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.5))
    if rng.random() < 0.15:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = cv2.addWeighted(out, 1 + (k := rng.uniform(0.3, 1.2)), soft, -k, 0)
    if rng.random() < 0.7:
        start = int(rng.integers(len(NOISE) - out.size))
        noise = NOISE[start : start + out.size].reshape(out.shape) * np.float32(14 * rng.random() ** 2)
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:  # 4:2:0, as video has it
        ycc = cv2.cvtColor(np.asarray(out, np.uint8), cv2.COLOR_BGR2YCrCb)
        soft = cv2.resize(cv2.resize(ycc, (w // 4, h // 4), interpolation=cv2.INTER_AREA), (w, h))
        out = cv2.cvtColor(np.dstack([ycc[..., :1], soft[..., 1:]]), cv2.COLOR_YCrCb2BGR)
    if rng.random() < 0.4:
        quality = int(rng.integers(12, 80))
        out = cv2.imdecode(
            cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )
    return np.asarray(out, np.uint8)
