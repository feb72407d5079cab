"""Faults of video cameras: exposure, blur, sharpening, flicker, noise, coarse colour, compression."""

import cv2
import numpy as np

from vision.training.painted.plan import Picture
from vision.training.samples.sample import NOISE


def filmed(rng: np.random.Generator, picture: Picture, edge_px: float, bright: float = 1.0) -> Picture:
    """The picture (H, W, 3) uint8 with a video camera's faults, such that dice of this width can still be read;
    exposed `bright` times as long as others.
    """
    h, w = picture.shape[:2]
    level = np.arange(256, dtype=np.float32)[:, None]
    curve = level * np.exp(rng.normal(0, 0.08, 3)) * rng.uniform(0.55, 1.35) * bright + rng.normal(0, 9)
    curve = 255 * np.power(np.clip(curve, 0, 255) / 255, np.exp(rng.normal(0, 0.22)))
    out = cv2.LUT(picture, np.clip(curve, 0, 255).astype(np.uint8)[:, None, :].reshape(256, 1, 3))
    if rng.random() < 0.05:
        out = np.repeat(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)[..., None], 3, -1)
    if edge_px > 13 and rng.random() < 0.25:
        share = rng.uniform(max(0.45, 10 / edge_px), 0.95)
        small = cv2.resize(out, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.4:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, min(1.6, 0.35 + 0.03 * edge_px)))
    if rng.random() < 0.3:  # sharpening, with its halos
        soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 1.6))
        out = cv2.addWeighted(out, 1 + (k := rng.uniform(0.3, 1.5)), soft, -k, 0)
    if rng.random() < 0.06:  # a lamp's flicker under a rolling shutter
        wave = 1 + rng.uniform(0.03, 0.15) * np.sin(np.arange(h) / h * rng.uniform(6, 40) + rng.uniform(0, 6))
        out = np.clip(out * wave[:, None, None], 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        start = int(rng.integers(len(NOISE) // 2))
        noise = np.resize(NOISE[start:], out.shape) * np.float32(12 * rng.random() ** 2)
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:  # 4:2:0
        ycc = cv2.cvtColor(np.asarray(out, np.uint8), cv2.COLOR_BGR2YCrCb)
        soft = cv2.resize(cv2.resize(ycc, (w // 2, h // 2), interpolation=cv2.INTER_AREA), (w, h))
        out = cv2.cvtColor(np.dstack([ycc[..., :1], soft[..., 1:]]), cv2.COLOR_YCrCb2BGR)
    if rng.random() < 0.5:
        quality = int(rng.integers(45 if edge_px < 16 else 22, 95))
        data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)
