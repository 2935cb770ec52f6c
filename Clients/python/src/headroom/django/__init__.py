"""Django: a model field that stores the focal point of an image.

It needs Django: ``pip install 'headroom-client[django]'``.
"""

from .fields import FocalPointField

__all__ = ["FocalPointField"]
