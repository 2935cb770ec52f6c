#!/usr/bin/env bash
# Validates the files in deploy/ and docker-compose.yml against their schemas.
#
#   scripts/check-deploy/check.sh PYTHON      PYTHON has the package kubernetes-validate installed
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kustomization.yaml and prometheus-adapter.yaml are not cluster objects. Every other file must be listed.
for file in deploy/kubernetes/*.yaml; do
    name=${file##*/}
    case $name in kustomization.yaml | prometheus-adapter.yaml) continue ;; esac
    grep -q "^  - $name$" deploy/kubernetes/kustomization.yaml || { echo "kustomization.yaml does not list $name"; exit 1; }
    "$python" -m kubernetes_validate --strict --quiet "$file"
done
echo "ok      deploy/kubernetes"

# The adapter must create the metric of the autoscaler.
metric=$(sed -n 's/^ *name: \(headroom_[a-z_]*\)$/\1/p' deploy/kubernetes/autoscaler.yaml)
grep -q "as: $metric$" deploy/kubernetes/prometheus-adapter.yaml || { echo "prometheus-adapter.yaml does not create $metric"; exit 1; }
echo "ok      autoscaler.yaml and prometheus-adapter.yaml: $metric"

if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi
"${compose[@]}" --file docker-compose.yml config >"$work/compose.yml"
"${compose[@]}" --file docker-compose.yml --file docker-compose.monitoring.yml config >"$work/monitoring.yml"
echo "ok      docker-compose.yml, docker-compose.monitoring.yml"

# The targets of Prometheus must be services in these files.
sed -n 's/^ *- \([a-z-]*\):[0-9][0-9]*$/\1/p; s/^ *- names: \[\(.*\)\]$/\1/p' deploy/prometheus/prometheus.yml | while read -r service; do
    grep -q "^  $service:$" "$work/monitoring.yml" || { echo "docker-compose.monitoring.yml has no service $service"; exit 1; }
done
promtool=$(command -v promtool || echo .build/promtool/usr/bin/promtool)
if [ -x "$promtool" ]; then
    "$promtool" check config deploy/prometheus/prometheus.yml >/dev/null
    "$promtool" test rules deploy/prometheus/alerts_test.yml >/dev/null
    # Every rule must fire in a test.
    for alert in $(sed -n 's/^ *- alert: //p' deploy/prometheus/alerts.yml); do
        grep -A1 "alertname: $alert$" deploy/prometheus/alerts_test.yml | grep -q exp_alerts || { echo "alerts_test.yml: $alert never fires"; exit 1; }
    done
    echo "ok      deploy/prometheus"
else
    echo "skipped deploy/prometheus: make promtool"
fi

# Debian's nginx does not support `resolve`, which replicas.conf uses for the nginx of Compose.
mkdir "$work/nginx" "$work/prefix"
cp deploy/nginx.conf "$work"
cp deploy/nginx/*.conf "$work/nginx"
sed -i -e '/^resolver/d' -e 's/^server headroom:8080 resolve/server 127.0.0.1:8080/' "$work/nginx/replicas.conf"
nginx -t -q -c "$work/nginx.conf" -p "$work/prefix" -e stderr
cp deploy/monitoring/nginx.conf "$work/nginx/monitoring.conf"
nginx -t -q -c "$work/nginx.conf" -p "$work/prefix" -e stderr
echo "ok      deploy/nginx.conf"

scripts/check-units.sh
echo "ok      deploy/systemd"
