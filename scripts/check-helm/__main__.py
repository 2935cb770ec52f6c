"""Renders deploy/helm with Helm's own engine, and validates what comes out: `make check-helm`.

Helm's linter has no complaint; every object that a set of values makes is valid for Kubernetes' schemas; without values the
chart makes what deploy/kubernetes has; and values with a mistake are refused. Exits 1 if a check fails.

The ServiceMonitor is of the Prometheus Operator, whose schema is not in Kubernetes': only its fields are compared here.
"""
import pathlib
import sys

import kubernetes_validate
import yaml
from helm_python import Chart, errors
from helm_python.chart import lint

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "deploy" / "helm"
KUBERNETES = ROOT / "deploy" / "kubernetes"
# Of the chart alone. The namespace is Helm's to make.
OWN_LABELS = {"app.kubernetes.io/instance", "app.kubernetes.io/version", "app.kubernetes.io/managed-by", "helm.sh/chart"}
NOT_OF_THE_CHART = {"kustomization.yaml", "prometheus-adapter.yaml", "namespace.yaml"}
SETS = {
    "the defaults": {},
    "without Redis, autoscaling, policies": {
        "redis": {"enabled": False}, "autoscaling": {"enabled": False}, "networkPolicy": {"enabled": False},
        "disruptionBudget": {"enabled": False},
    },
    "everything": {
        "metrics": {"serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}, "annotations": False},
        "redis": {"enabled": False, "url": "redis://cache.example.com:6379/1"},
        "settings": {"HEADROOM_GRAMMARS": "thumbor,imgix", "HEADROOM_MAX_PIXELS": 1000000, "HEADROOM_ALLOW_PRIVATE_SOURCES": True},
        "existingSecret": "keys", "imagePullSecrets": [{"name": "registry"}], "podAnnotations": {"a.example.com/b": "c"},
        "nodeSelector": {"kubernetes.io/arch": "amd64"}, "tolerations": [{"key": "pictures", "operator": "Exists"}],
        "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
        "networkPolicy": {"extraEgress": [{"to": [{"ipBlock": {"cidr": "10.20.30.0/24"}}], "ports": [{"port": 9000}]}]},
        "autoscaling": {"queueMilliseconds": 0}, "image": {"tag": "1.2.3"}, "service": {"type": "LoadBalancer"},
    },
}
WRONG = (
    {"workers": 0}, {"redis": {"url": "http://cache"}}, {"replica": 3}, {"settings": {"MAX_PIXELS": 1}}, {"service": {"port": 70000}},
)


def objects(chart, values, name="headroom"):
    """The objects that a release of a name consists of."""
    rendered = chart.render(values, name=name, namespace="headroom")
    return [each for path, text in sorted(rendered.items()) if path.endswith(".yaml") for each in yaml.safe_load_all(text) if each]


def key(thing):
    return thing["kind"], thing["metadata"]["name"]


def validate(thing):
    if thing["apiVersion"] == "monitoring.coreos.com/v1":
        assert set(thing["spec"]) == {"selector", "endpoints"} and thing["spec"]["endpoints"][0]["port"] == "metrics", str(thing)
    else:
        kubernetes_validate.validate(thing, "1.34", strict=True)


def without(thing):
    """An object without what only the chart or only Kustomize has."""
    if isinstance(thing, dict):
        return {name: without(value) for name, value in thing.items() if name not in OWN_LABELS | {"imagePullPolicy"}}
    return [without(each) for each in thing] if isinstance(thing, list) else thing


def differences(left, right, path=""):
    if isinstance(left, dict) and isinstance(right, dict):
        for name in sorted(set(left) | set(right)):
            yield from differences(left.get(name), right.get(name), f"{path}.{name}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for number, pair in enumerate(zip(left, right)):
            yield from differences(*pair, f"{path}[{number}]")
    elif left != right:
        yield f"{path}: {left!r} in the chart, {right!r} in deploy/kubernetes"


def linted(chart):
    report = lint(CHART, strict=True)
    # An icon is a picture of a registry of charts.
    found = [message for message in report["messages"] if "icon is recommended" not in message["error"]]
    assert not found and not report["errors"], str(found or report["errors"])
    return f"chart {chart.version}, program {chart.metadata['appVersion']}"


def rendered(chart):
    counts = []
    for name, values in SETS.items():
        for release in ("headroom", "other"):
            found = objects(chart, values, release)
            for thing in found:
                validate(thing)
            assert len({key(thing) for thing in found}) == len(found), "two objects have one name"
            selected = next(thing for thing in found if key(thing)[0] == "Deployment")["spec"]["selector"]["matchLabels"]
            assert selected["app.kubernetes.io/instance"] == release, str(selected)
        counts.append(f"{name} {len(found)}")
    everything = {key(thing) for thing in objects(chart, SETS["everything"])}
    assert ("ServiceMonitor", "headroom") in everything and ("Deployment", "redis") not in everything, str(everything)
    return "objects: " + ", ".join(counts)


def as_kustomize(chart):
    made = {key(thing): without(thing) for thing in objects(chart, {})}
    files = [file for file in KUBERNETES.glob("*.yaml") if file.name not in NOT_OF_THE_CHART]
    there = {key(thing): without(thing) for file in files for thing in yaml.safe_load_all(file.read_text()) if thing}
    assert made.keys() == there.keys(), f"{made.keys() ^ there.keys()}"
    # What a Service is without a type; the image has its name from kustomization.yaml; labels of the pods' owners.
    for (kind, name), thing in made.items():
        if kind == "Service" and name == "headroom":
            assert thing["spec"].pop("type") == "ClusterIP"
        if kind == "Deployment" and name == "headroom":
            thing["spec"]["template"]["spec"]["containers"][0]["image"] = "headroom"
        if "labels" not in there[kind, name]["metadata"]:
            thing["metadata"].pop("labels")
    found = [line for each in sorted(made) for line in differences(made[each], there[each], " ".join(each))]
    assert not found, "\n".join(found)
    return f"{len(made)} objects"


def refused(chart):
    for values in WRONG:
        try:
            chart.render(values, name="headroom")
        except errors.HelmError:
            continue
        raise AssertionError(f"{values} is accepted")
    return f"{len(WRONG)} sets"


def main():
    failed = 0
    with Chart.load(CHART) as chart:
        for sentence, check in (
            ("Helm's linter has no complaint", linted),
            ("what is rendered is valid for Kubernetes 1.34", rendered),
            ("the defaults are those of deploy/kubernetes", as_kustomize),
            ("values with a mistake are refused", refused),
        ):
            try:
                print(f"ok      {sentence}: {check(chart)}", flush=True)
            except (AssertionError, errors.HelmError, kubernetes_validate.ValidationError) as reason:
                failed += 1
                print(f"FAILED  {sentence}: {reason}", flush=True)
    sys.exit(1 if failed else 0)


main()
