{{- define "tollgate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "tollgate.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains (include "tollgate.name" .) .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "tollgate.name" .) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ include "tollgate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tollgate.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* "true" if several servers can share a database. */}}
{{- define "tollgate.hasDatabase" -}}
{{- if (.Values.config.store | default dict).database_url }}true{{ end }}
{{- end }}

{{/* The port of the listener for operators, or nothing if there is only one listener. */}}
{{- define "tollgate.adminPort" -}}
{{- with (.Values.config.server | default dict).admin_listen }}{{ splitList ":" . | last }}{{ end }}
{{- end }}

{{/* The name of the port that has the metrics. */}}
{{- define "tollgate.metricsPort" -}}
{{- if include "tollgate.adminPort" . }}admin{{ else }}http{{ end }}
{{- end }}

{{/* Longer than the notice and the drain together. The defaults are those of the gateway. */}}
{{- define "tollgate.stopSeconds" -}}
{{- $server := .Values.config.server | default dict }}
{{- $notice := 5 }}
{{- if hasKey $server "drain_notice_s" }}{{ $notice = $server.drain_notice_s }}{{ end }}
{{- $drain := 30 }}
{{- if hasKey $server "drain_s" }}{{ $drain = $server.drain_s }}{{ end }}
{{- addf $notice $drain .Values.stopMarginSeconds | ceil }}
{{- end }}

{{- define "tollgate.pod" -}}
metadata:
  annotations:
    # A change of the configuration replaces the pods.
    checksum/config: {{ toYaml .Values.config | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  labels:
    {{- include "tollgate.selector" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "tollgate.fullname" . }}
  # The gateway does not call the cluster.
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ include "tollgate.stopSeconds" . }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: gateway
      image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve, --host, 0.0.0.0, --port, "8080", --data, /data, --config, /etc/tollgate/tollgate.yaml]
      {{- with .Values.env }}
      env:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.existingSecret }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
        {{- with include "tollgate.adminPort" . }}
        - name: admin
          containerPort: {{ . }}
        {{- end }}
      # A start that migrates the store can take an hour. If it were ended, its work would be rolled back.
      # A start that fails ends by itself.
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 2
        failureThreshold: 1800
      # Fails only if the process hangs. A full disk must not restart the pod.
      livenessProbe:
        httpGet:
          path: /healthz
          # The listener for operators stays open until the end of a drain.
          port: {{ include "tollgate.metricsPort" . }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: config
          mountPath: /etc/tollgate
          readOnly: true
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: config
      configMap:
        name: {{ include "tollgate.fullname" . }}
    - name: tmp
      emptyDir: {}
    - name: data
      {{- if include "tollgate.hasDatabase" . }}
      emptyDir: {}
      {{- else }}
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim | default (include "tollgate.fullname" .) }}
      {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
