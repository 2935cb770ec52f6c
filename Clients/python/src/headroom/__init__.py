"""Client of Headroom, the service that crops images around people.

>>> from pathlib import Path
>>> from headroom import Client
>>> client = Client("http://localhost:8080")
>>> client.frame(Path("team.jpg"), aspect="1:1", width=400).save("avatar.jpg")  # doctest: +SKIP
"""

from .client import Client
from .encryption import encrypt_url
from .focal_point import FocalPoint
from .local import Local
from .plan import (
    Animation,
    Crop,
    DetectedSubject,
    DetectionPass,
    Detector,
    Face,
    FaceFree,
    FaceOutcome,
    Faces,
    IgnoredDetection,
    Plan,
    Rect,
    Size,
    SourceImage,
)
from .problems import (
    ConnectionFailedError,
    ExpiredError,
    FetchOverloadedError,
    ForbiddenError,
    HeadroomError,
    InternalServiceError,
    InvalidParameter,
    InvalidParameterError,
    InvalidRequestError,
    LoopDetectedError,
    MethodNotAllowedError,
    NoFaceError,
    NotFoundError,
    OverloadedError,
    ProblemError,
    RateLimitedError,
    ResponseTooLargeError,
    SourceFailedError,
    SourceNotFoundError,
    TimedOutError,
    TooLargeError,
    UnauthorizedError,
    UnexpectedResponseError,
    UnreadableImageError,
    UnsupportedImageError,
    UnsupportedOptionError,
)
from .responses import CropImage, FaceArchive, FaceImage
from .retries import Retries
from .urls import URLBuilder
from .version import __version__

__all__ = [
    "Animation",
    "Client",
    "ConnectionFailedError",
    "Crop",
    "CropImage",
    "DetectedSubject",
    "DetectionPass",
    "Detector",
    "ExpiredError",
    "Face",
    "FaceArchive",
    "FaceFree",
    "FaceImage",
    "FaceOutcome",
    "Faces",
    "FetchOverloadedError",
    "FocalPoint",
    "ForbiddenError",
    "HeadroomError",
    "IgnoredDetection",
    "InternalServiceError",
    "InvalidParameter",
    "InvalidParameterError",
    "InvalidRequestError",
    "Local",
    "LoopDetectedError",
    "MethodNotAllowedError",
    "NoFaceError",
    "NotFoundError",
    "OverloadedError",
    "Plan",
    "ProblemError",
    "RateLimitedError",
    "Rect",
    "ResponseTooLargeError",
    "Retries",
    "Size",
    "SourceFailedError",
    "SourceImage",
    "SourceNotFoundError",
    "TimedOutError",
    "TooLargeError",
    "URLBuilder",
    "UnauthorizedError",
    "UnexpectedResponseError",
    "UnreadableImageError",
    "UnsupportedImageError",
    "UnsupportedOptionError",
    "__version__",
    "encrypt_url",
]
