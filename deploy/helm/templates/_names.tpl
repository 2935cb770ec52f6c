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

{{/* A pod's security context, of a list of it and the root. OpenShift chooses user and group; it refuses others. */}}
{{- define "headroom.podSecurityContext" -}}
{{- $root := index . 1 }}
{{- $context := index . 0 }}
{{- if $root.Capabilities.APIVersions.Has "security.openshift.io/v1" }}
{{- $context = omit $context "runAsUser" "runAsGroup" "fsGroup" "supplementalGroups" }}
{{- end }}
{{- toYaml $context }}
{{- end }}

{{/* The name of the service account; empty for that of the namespace. */}}
{{- define "headroom.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "headroom.name" .) }}{{ else }}{{ .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{/* The name of the volume of a setting that is a file, of the name of its variable. */}}
{{- define "headroom.volume" -}}
{{ trimPrefix "HEADROOM_" . | lower | replace "_" "-" }}
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

{{/* The path of Ingress and HTTPRoute: the prefix that the service expects. */}}
{{- define "headroom.publicPath" -}}
{{ index .Values.settings "HEADROOM_PATH_PREFIX" | default "/" }}
{{- end }}
