"""Images that the checks draw with Pillow."""
import io

from PIL import Image


def png(width, height, chance):
    """Returns an image of nine coloured rectangles."""
    data = io.BytesIO()
    small = Image.frombytes("RGB", (3, 3), chance.randbytes(27))
    small.resize((width, height), Image.Resampling.NEAREST).save(data, "PNG")
    return data.getvalue()
