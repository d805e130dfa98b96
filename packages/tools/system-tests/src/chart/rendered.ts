export interface Labels {
  [name: string]: string;
}

interface Container {
  image: string;
  args?: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
  readinessProbe?: { httpGet: { port: string } };
  livenessProbe?: { httpGet: { port: string } };
}

interface PodTemplate {
  metadata: { labels: Labels; annotations?: Record<string, string> };
  spec: {
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    nodeSelector?: Labels;
    topologySpreadConstraints: { topologyKey: string; labelSelector: { matchLabels: Labels } }[];
    securityContext: object;
    terminationGracePeriodSeconds: number;
    containers: [Container];
    volumes: { name: string }[];
  };
}

/** An object that Helm rendered, with the fields that the tests read. */
export interface Rendered {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Labels; annotations?: Record<string, string> };
  data?: Record<string, unknown>;
  spec: {
    replicas?: number;
    suspend?: boolean;
    jobTemplate: { spec: Rendered['spec'] };
    template: PodTemplate;
    selector: { matchLabels: Labels };
    podSelector: { matchLabels: Labels };
    policyTypes: string[];
    scaleTargetRef: { name: string };
    ports: { name: string; port: number; targetPort: string }[];
    endpoints: { port: string; relabelings: { targetLabel: string; replacement: string }[] }[];
    ingress?: { ports: { port: string }[]; from?: unknown[] }[];
    egress?: { to?: unknown[]; ports?: unknown[] }[];
    triggers: { metadata: { query: string } }[];
    groups: { rules: { annotations: { runbook_url: string } }[] }[];
    rules: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}
