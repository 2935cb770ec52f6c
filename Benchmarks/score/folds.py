"""Cross-validates the framing constants: chooses them on four fifths of the images and measures them on the remaining
fifth.

    folds.py CORPUS [--subjects FOLDER [--objects FILE]] [--framing PROGRAM] [--page PAGE]

Images of one source (a repository or a collection) are in the same fold, because they resemble each other. The program
framing-benchmark records the detections once. It then computes crops with any constants in a fraction of a second.
Prints two Markdown tables for each kind of image. The first compares the figures of the program's constants with the
mean of the held-out folds. The second shows the worth of each constant. docs/contributing/framing-research.md describes
the files.
"""

import abc
import argparse
import collections
import json
import pathlib
import subprocess
import sys

import corpus
import numpy
import rules

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "service"))
import page

FOLDS = 5

# For each constant: the value that disables its rule, and further values to try. The program's value is always tried.
PEOPLE = {
    "head": (0, [7, 8, 9, 10]), "halved": (0, [1, 2, 3, 4]), "sliver": (0, [0.05, 0.08, 0.1]), "sliverSlope": (0, [0.05, 0.1]),
    "tolerance": (0, [0.04, 0.05, 0.06, 0.07, 0.08]), "chinRoom": (0, [0.08, 0.12, 0.16, 0.2]), "chinCut": (0, [0.01, 0.02, 0.03]),
    "certainShare": (0, [0.4, 0.5, 0.6, 0.75]), "minCertainty": (1, [0.25, 0.5, 0.75]),
    "sharpShare": (0.001, [0.6, 0.75]), "smallShare": (0, [0.4, 0.5, 0.6, 0.75]), "crowdShare": (0, [0.5, 0.6, 0.75]),
    "minCrowd": (1e9, [10, 12, 15, 20, 30]), "crowdWeight": (1e9, [2, 3, 4]), "cutShare": (1, [0.3, 0.5, 0.7]),
    "padding": (0, [0.03, 0.04, 0.05, 0.06, 0.08]),
}
SUBJECTS = {
    "minScore": (0.1, [0.2, 0.25, 0.3, 0.35]), "animal": (1, [1.5, 2, 3]), "thing": (1, [0.5, 0.7]),
    "surroundings": (1, [0.4, 0.7]), "minRelativeWeight": (0, [0.1, 0.2, 0.3]), "personHead": (0, [0.3, 0.5, 0.7]),
    "animalHead": (0, [0.2, 0.4]), "personHeadHeight": (0.22, [0.18, 0.26]), "animalHeadHeight": (0.25, [0.35]),
    "attention": (0, [0.05, 0.1, 0.15]), "minAttention": (0, [0.003, 0.005, 0.01]), "tolerance": (0, [0.01, 0.015, 0.02]),
}


def fold_of(sources, count=FOLDS):
    """Returns the fold of each source. Sources in descending order of size get the fold with the fewest images."""
    sizes = collections.Counter(sources)
    loads = [0] * count
    folds = {}
    for source in sorted(sizes, key=lambda name: (-sizes[name], name)):
        folds[source] = loads.index(min(loads))
        loads[folds[source]] += sizes[source]
    return folds


def record(program, accuracy, folder, files, path):
    """Searches images, and writes a line for each image."""
    lines = subprocess.run([program, "record", accuracy, folder, *files], check=True, stdout=subprocess.PIPE).stdout
    path.write_bytes(lines)
    return path


class Framing:
    """A running framing-benchmark that computes the crops of recorded images."""

    def __init__(self, program, path, part):
        aspects = [f"{wide}:{high}" for wide, high in rules.ASPECTS]
        self.part = part
        self.process = subprocess.Popen(
            [program, "crop", path, *aspects], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def crops(self, constants):
        """Returns the crops of each image, in the order of the file and of the aspect ratios."""
        others = {name: value for name, value in constants.items() if name != "padding"}
        line = {self.part: others} | ({"padding": constants["padding"]} if "padding" in constants else {})
        requests, responses = self.process.stdin, self.process.stdout
        assert requests and responses
        requests.write(json.dumps(line) + "\n")
        requests.flush()
        return json.loads(responses.readline())


class Images(abc.ABC):
    """Images, and rows of numbers that determine the worth of each crop; a subclass defines the numbers."""

    def __init__(self, framing, sources):
        self.framing, self.kept, self.scored = framing, {}, {}
        folds = fold_of(sources)
        self.folds = [folds[source] for source in sources]

    def rows(self, constants):
        """Returns the rows of all crops, and the fold of each row."""
        key = tuple(sorted(constants.items()))
        if key not in self.scored:
            rows, folds = [], []
            for index, crops in enumerate(self.framing.crops(constants)):
                for aspect, crop in zip(rules.ASPECTS, crops):
                    place = (index, aspect, *crop)
                    if place not in self.kept:
                        self.kept[place] = self.row(index, aspect, crop)
                    if self.kept[place] is not None:
                        rows.append(self.kept[place])
                        folds.append(self.folds[index])
            self.scored[key] = numpy.array(rows, dtype=float), numpy.array(folds)
        return self.scored[key]

    def figures(self, constants, chosen=lambda folds: folds >= 0):
        rows, folds = self.rows(constants)
        return self.summary(rows[chosen(folds)])

    @abc.abstractmethod
    def row(self, index, aspect, crop):
        """The numbers of one crop of an image, or none if the crop does not count."""

    @staticmethod
    @abc.abstractmethod
    def summary(rows):
        """The figures of rows, in the order of the names."""


class People(Images):
    """Photos of people with labelled faces, and the recorded detections at one accuracy."""

    names = ("kept", "heads", "centred", "perfect", "halved")

    def __init__(self, program, path, images, sources):
        super().__init__(Framing(program, path, "people"), sources)
        self.images = images

    def row(self, index, aspect, crop):
        image = self.images[index]
        score = rules.CropScore()
        score.add(image, aspect, crop)
        centred = score.centred[0] if score.centred else numpy.nan
        halved = float(score.halved[0]) if score.halved else numpy.nan
        return (*score.crops[0], centred, halved)

    @staticmethod
    def summary(rows):
        kept, possible, heads, possible_heads, perfect = rows[:, :5].sum(axis=0)
        return numpy.array([
            kept / max(1, possible), heads / max(1, possible_heads), numpy.nanmean(rows[:, 5]), perfect / len(rows),
            numpy.nanmean(rows[:, 6]),
        ])

    @staticmethod
    def worth(figures):
        """Returns the sum of the first four figures, minus a tenth of the halved faces."""
        return figures[:4].sum() - 0.1 * figures[4]


class Subjects(Images):
    """Images without faces whose main subject is known."""

    names = ("kept", "whole", "poor", "cut", "centred")

    def __init__(self, program, path, truth):
        super().__init__(Framing(program, path, "subjects"), [row.get("repo", row["file"]) for row in truth])
        self.truth = truth

    def row(self, index, aspect, crop):
        return rules.subject_row(self.truth[index], aspect, crop)

    @staticmethod
    def summary(rows):
        kept = rows[:, 0]
        return numpy.array([
            kept.mean(), (kept >= 0.98).mean(), (kept < 0.8).mean(), rows[:, 1].sum() / max(1, rows[:, 2].sum()),
            numpy.nanmean(rows[:, 3]),
        ])

    @staticmethod
    def worth(figures):
        kept, whole, poor, cut, centred = figures
        return 3 * kept + 0.5 * whole - poor - 0.5 * cut + 0.5 * centred


class Worth:
    """The worth of constants on several sets of the same images."""

    def __init__(self, sets):
        self.sets = sets

    def __call__(self, constants, chosen=lambda folds: folds >= 0):
        return sum(each.worth(each.figures(constants, chosen)) for each in self.sets) / len(self.sets)


def tuned(worth, values, start, chosen):
    """Returns the constants with the maximum worth on the chosen folds: changes one constant at a time until no change
    improves the worth."""
    best, most = dict(start), worth(start, chosen)
    for _ in range(3):
        before = most
        for name, choices in values.items():
            for value in choices:
                other = best | {name: value}
                if (one := worth(other, chosen)) > most + 1e-9:
                    best, most = other, one
        if most == before:
            break
    return best


def held_out(sets, values):
    """Returns the mean figures of the folds, each with constants that were tuned on the other folds."""
    worth = Worth(sets)
    sums = [0] * len(sets)
    for fold in range(FOLDS):
        best = tuned(worth, values, {}, lambda folds, fold=fold: folds != fold)
        for index, each in enumerate(sets):
            sums[index] += each.figures(best, lambda folds, fold=fold: folds == fold) / FOLDS
    return sums


def mean_of_folds(each):
    """Returns the mean figures of the folds with the program's constants."""
    return sum(each.figures({}, lambda folds, fold=fold: folds == fold) for fold in range(FOLDS)) / FOLDS


def study(sets, values, program):
    """Returns a row for each constant: the worth of its rule on all images, and on the folds that were not used to
    choose it."""
    worth, rows = Worth(sets), []
    for name, (off, choices) in values.items():
        gain, picks = 0.0, []
        for fold in range(FOLDS):
            def others(folds, fold=fold):
                return folds != fold

            def this(folds, fold=fold):
                return folds == fold

            choice = max([off, *choices, program[name]], key=lambda value: worth({name: value}, others))
            gain += (worth({name: choice}, this) - worth({name: off}, this)) / FOLDS
            picks.append(choice)
        fixed = sum(
            worth({}, lambda folds, fold=fold: folds == fold) - worth({name: off}, lambda folds, fold=fold: folds == fold)
            for fold in range(FOLDS)
        ) / FOLDS
        rows.append([
            f"`{name}`", plain(program[name]), plain(off), points(worth({}) - worth({name: off})), points(fixed),
            points(gain), " ".join(plain(pick) for pick in picks),
        ])
    return rows


def plain(value):
    return "none" if value >= 1e9 else f"{value:g}"


def points(difference):
    """Formats a difference in units of 0.0001, with its sign."""
    return f"{difference * 10_000:+.0f}".replace("-", "\N{MINUS SIGN}")


HEAD = ["constant", "value", "without", "worth", "worth, mean of folds", "tuned, held out", "chosen by the folds"]


def figures_row(name, figures):
    return [name, *(f"{figure:.4f}" for figure in figures)]


def of_people(program, folder, cache):
    """Returns the photos of a corpus, with detections at each accuracy."""
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines() if line.strip()]
    sources = {row["file"]: row.get("source") or row.get("repo") or row["file"] for row in rows}
    images = [image for image in corpus.read(folder, "truth.jsonl") if len(image.faces)]
    files = [str(image.path.relative_to(folder)) for image in images]
    return [
        People(program, record(program, accuracy, folder, files, cache / f"people-{accuracy}.jsonl"), images,
               [sources[file] for file in files])
        for accuracy in ("high", "low")
    ]


def of_subjects(program, folder, objects, cache):
    """Returns the images of a folder of subjects.

    A file of objects contains a JSON line for each image: its file, and detections [left, top, right, bottom, score, class].
    """
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines() if line.strip()]
    path = record(program, "high", folder / "pictures", [row["file"] for row in truth], cache / "subjects.jsonl")
    if objects:
        found = {row["file"]: row["detections"] for row in map(json.loads, objects.read_text().splitlines())}
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for row in rows:
            row["objects"] = [
                {"kind": kind, "box": {"x": left, "y": top, "width": right - left, "height": bottom - top}, "score": score}
                for left, top, right, bottom, score, kind in found.get(row["file"], [])
            ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [Subjects(program, path, truth)]


def measure(options):
    """Returns Markdown tables for people, and for subjects if a folder of subjects is given."""
    folder, cache, program = options.corpus.resolve(), options.cache, options.framing
    cache.mkdir(parents=True, exist_ok=True)
    names = json.loads(subprocess.run([program, "constants"], check=True, stdout=subprocess.PIPE).stdout)
    parts: list[str] = []
    sets: list[tuple[list, dict, dict, list[str]]] = [
        (of_people(program, folder, cache), PEOPLE, names["people"], ["`accuracy=high`", "`accuracy=low`"]),
    ]
    if options.subjects and (options.subjects / "truth.jsonl").exists():
        images = of_subjects(program, options.subjects.resolve(), options.objects, cache)
        sets.append((images, SUBJECTS, names["subjects"], ["images without faces"]))
    for images, values, constants, titles in sets:
        choices = {name: sorted({off, *others}) for name, (off, others) in values.items()}
        rows = []
        for each, title, held in zip(images, titles, held_out(images, choices)):
            rows += [
                figures_row(f"{title}: all", each.figures({})), figures_row(f"{title}: mean of the folds", mean_of_folds(each)),
                figures_row(f"{title}: held out, tuned on the others", held),
            ]
        parts += [page.table(["", *images[0].names], rows), page.table(HEAD, study(images, values, constants))]
    return "\n\n".join(parts)


def add_arguments(parser):
    parser.add_argument("--subjects", type=pathlib.Path, help="a folder with truth.jsonl and images, without faces")
    parser.add_argument("--objects", type=pathlib.Path, help="the objects of these images, instead of recording them")
    parser.add_argument("--framing", default=".build/release/framing-benchmark", help="the program that frames")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(".build/score"), help="a folder for detections")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path, help="a folder with truth.jsonl and images")
    parser.add_argument("--page", type=pathlib.Path, help="page to write the tables to, between markers")
    add_arguments(parser)
    options = parser.parse_args()
    tables = measure(options)
    print(tables)
    if options.page:
        page.insert(options.page, "folds", tables)


if __name__ == "__main__":
    main()
