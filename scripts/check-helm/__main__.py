"""Renders deploy/helm with Helm's own engine, and validates what comes out: `make check-helm`.

Helm's linter has no complaint; every object that a set of values makes is valid for Kubernetes' schemas; without values the
chart makes what deploy/kubernetes has; and values with a mistake are refused. Exits 1 if a check fails.

The ServiceMonitor is of the Prometheus Operator, whose schema is not in Kubernetes': only its fields are compared here.
"""
import difflib
import pathlib
import sys

import kubernetes_validate
import yaml
from helm_python import Chart, errors
from helm_python.chart import lint

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "lib"))
import report  # noqa: E402

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


def named(text):
    """The objects of a text in YAML, by kind and name."""
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(text) if each}


def objects(chart, values, name="headroom"):
    """The objects that a release of a name consists of."""
    made = chart.render(values, name=name, namespace="headroom")
    found = [named(text) for path, text in made.items() if path.endswith(".yaml")]
    merged = {key: each for one in found for key, each in one.items()}
    assert len(merged) == sum(map(len, found)), "two objects have one name"
    return merged


def without(thing):
    """An object without what only the chart or only Kustomize has."""
    if isinstance(thing, dict):
        return {name: without(value) for name, value in thing.items() if name not in OWN_LABELS | {"imagePullPolicy"}}
    return [without(each) for each in thing] if isinstance(thing, list) else thing


def linted(chart):
    found = lint(CHART, strict=True)
    # An icon is a picture of a registry of charts.
    messages = [message for message in found["messages"] if "icon is recommended" not in message["error"]]
    assert not messages and not found["errors"], messages or found["errors"]
    return f"chart {chart.version}, program {chart.metadata['appVersion']}"


def rendered(chart):
    counts = []
    for name, values in SETS.items():
        for release in ("headroom", "other"):
            found = objects(chart, values, release)
            for (kind, _), thing in found.items():
                if kind == "ServiceMonitor":
                    spec = thing["spec"]
                    assert set(spec) == {"selector", "endpoints"} and spec["endpoints"][0]["port"] == "metrics", thing
                else:
                    try:
                        kubernetes_validate.validate(thing, "1.34", strict=True)
                    except kubernetes_validate.ValidationError as error:
                        raise AssertionError(error) from error
            deployment = next(thing for (kind, _), thing in found.items() if kind == "Deployment")
            selected = deployment["spec"]["selector"]["matchLabels"]
            assert selected["app.kubernetes.io/instance"] == release, selected
        counts.append(f"{name} {len(found)}")
    everything = objects(chart, SETS["everything"])
    assert ("ServiceMonitor", "headroom") in everything and ("Deployment", "redis") not in everything, everything.keys()
    return "objects: " + ", ".join(counts)


def as_kustomize(chart):
    made = without(objects(chart, {}))
    there = {}
    for file in KUBERNETES.glob("*.yaml"):
        if file.name not in NOT_OF_THE_CHART:
            there |= without(named(file.read_text()))
    # What a Service is without a type; the image has its name from kustomization.yaml; labels of the pods' owners.
    assert made["Service", "headroom"]["spec"].pop("type") == "ClusterIP"
    made["Deployment", "headroom"]["spec"]["template"]["spec"]["containers"][0]["image"] = "headroom"
    for key in made.keys() & there.keys():
        if "labels" not in there[key]["metadata"]:
            made[key]["metadata"].pop("labels")
    texts = [yaml.safe_dump_all([all_of[key] for key in sorted(all_of)]).splitlines() for all_of in (there, made)]
    found = list(difflib.unified_diff(*texts, "deploy/kubernetes", "the chart", lineterm=""))
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


with Chart.load(CHART) as loaded:
    report.each({
        "Helm's linter has no complaint": linted,
        "what is rendered is valid for Kubernetes 1.34": rendered,
        "the defaults are those of deploy/kubernetes": as_kustomize,
        "values with a mistake are refused": refused,
    }, loaded)
report.end()
