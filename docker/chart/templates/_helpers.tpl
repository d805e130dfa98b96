{{/* The beginning of the names of all objects: the release, with the name of the chart unless it contains it. */}}
{{- define "deal-signals.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{/* The labels by which objects find the pods of an app. They never change. Takes (list root app). */}}
{{- define "deal-signals.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* The labels of an object. Takes (list root app). */}}
{{- define "deal-signals.labels" -}}
{{- $root := index . 0 -}}
{{ include "deal-signals.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end -}}

{{/* The image of an app, by its digest if there is one. Takes (list root app). */}}
{{- define "deal-signals.image" -}}
{{- $root := index . 0 -}}
{{- $app := index . 1 -}}
{{- $image := $root.Values.image -}}
{{- $digest := get $image.digests $app -}}
{{- if $digest -}}
{{ printf "%s-%s@%s" $image.prefix $app $digest | quote }}
{{- else -}}
{{ printf "%s-%s:%s" $image.prefix $app (default $root.Chart.AppVersion $image.tag) | quote }}
{{- end -}}
{{- end -}}

{{/* Settings as the texts that environment variables are; large numbers must not become 1e+06. Takes a map. */}}
{{- define "deal-signals.settings" -}}
{{- $texts := dict -}}
{{- range $name, $value := . -}}
{{- $_ := set $texts $name (kindIs "float64" $value | ternary (int64 $value) $value | toString) -}}
{{- end -}}
{{ toYaml $texts }}
{{- end -}}

{{/* A setting in milliseconds as whole seconds, rounded up. Takes (list settings name default). */}}
{{- define "deal-signals.seconds" -}}
{{- $settings := index . 0 -}}
{{- $value := hasKey $settings (index . 1) | ternary (get $settings (index . 1)) (index . 2) -}}
{{- divf (float64 $value) 1000.0 | ceil | int64 -}}
{{- end -}}

{{/* Settings of every pod: no root, no token of the cluster, and the system calls of an ordinary program. */}}
{{- define "deal-signals.pod-security" -}}
automountServiceAccountToken: false
# Otherwise a Service `capture` in the namespace would set CAPTURE_PORT, for example.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000 # node, in the images
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Settings of every container: no capabilities, no way to gain any, and write access only to /tmp. */}}
{{- define "deal-signals.container-security" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Spreads the pods of an app, each version separately. Takes (list root app). */}}
{{- define "deal-signals.spread" -}}
{{- $root := . -}}
topologySpreadConstraints:
  {{- range (index . 0).Values.topologyKeys }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "deal-signals.selector" $root | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end -}}

{{/* The machines that an app may run on. Takes (list root app). */}}
{{- define "deal-signals.nodes" -}}
{{- $values := get (index . 0).Values (index . 1) -}}
{{- $machines := dict -}}
{{- range $name := list "nodeSelector" "tolerations" -}}
{{- with get $values $name }}{{ $_ := set $machines $name . }}{{ end -}}
{{- end -}}
{{- with $machines }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* A Job that runs a command of the image `migrate`, as the owner of the tables. Takes (list root command backoffLimit). */}}
{{- define "deal-signals.command-job" -}}
{{- $root := index . 0 -}}
{{- $app := list $root "migrate" -}}
{{- with $root -}}
backoffLimit: {{ index $ 2 }}
template:
  metadata:
    labels: {{- include "deal-signals.labels" $app | nindent 6 }}
  spec:
    {{- include "deal-signals.pod-security" . | nindent 4 }}
    {{- with .Values.image.pullSecrets }}
    imagePullSecrets: {{- toYaml . | nindent 6 }}
    {{- end }}
    restartPolicy: Never
    {{- with include "deal-signals.nodes" $app }}
    {{- . | nindent 4 }}
    {{- end }}
    containers:
      - name: migrate
        image: {{ include "deal-signals.image" $app }}
        imagePullPolicy: {{ .Values.image.pullPolicy }}
        args: [{{ index $ 1 }}]
        {{- include "deal-signals.container-security" . | nindent 8 }}
        env:
          - name: DATABASE_URL
            value: {{ required "migrate.databaseUrl is required" .Values.migrate.databaseUrl | quote }}
        envFrom:
          - secretRef: { name: {{ .Values.secrets.migrate | quote }} }
        resources: {{- toYaml .Values.migrate.resources | nindent 10 }}
        {{- include "deal-signals.volume-mounts" . | nindent 8 }}
    {{- include "deal-signals.volumes" . | nindent 4 }}
{{- end -}}
{{- end -}}

{{/* Memory-backed volumes instead of disk, and the files of the operator. */}}
{{- define "deal-signals.volumes" -}}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  {{- with .Values.files }}
  - name: files
    configMap: { name: {{ . | quote }} }
  {{- end }}
{{- end -}}

{{- define "deal-signals.volume-mounts" -}}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.files }}
  - { name: files, mountPath: /etc/deal-signals, readOnly: true }
  {{- end }}
{{- end -}}
