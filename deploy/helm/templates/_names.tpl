{{/* The name of the release's objects: headroom, or the name of the release if it has another one. */}}
{{- define "headroom.name" -}}
{{- if contains "headroom" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-headroom" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that select the pods; they cannot change in an upgrade. */}}
{{- define "headroom.selector" -}}
app.kubernetes.io/name: headroom
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "headroom.redisSelector" -}}
app.kubernetes.io/name: redis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "headroom.chartLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* The name of the Redis objects: redis for the release headroom, as in deploy/kubernetes. */}}
{{- define "headroom.redis" -}}
{{- if eq (include "headroom.name" .) "headroom" }}redis{{ else }}{{ include "headroom.name" . }}-redis{{ end }}
{{- end }}
