"""Reads a QR code that is held before the camera."""

import cv2

from vision.frame import Bgr


class QrReader:
    """OpenCV's detectors of QR codes: the second one, which older versions lack, reads some that the first does not.

    A code needs some 5 pixels for each of its modules.
    """

    def __init__(self) -> None:
        self._detectors: list[cv2.GraphicalCodeDetector] = [cv2.QRCodeDetector()]
        if hasattr(cv2, "QRCodeDetectorAruco"):
            self._detectors.append(cv2.QRCodeDetectorAruco())

    def read(self, bgr: Bgr) -> str:
        """The text of a code in a picture, (H, W, 3) uint8; "" if none is read."""
        for detector in self._detectors:
            try:
                text, _corners, _straight = detector.detectAndDecode(bgr)
            except cv2.error:  # corners that are no quadrangle, or text that is none
                continue
            if text:
                return str(text)
        return ""
