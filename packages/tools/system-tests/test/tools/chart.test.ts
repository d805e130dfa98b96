import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type ApiServer, findApiServer, startApiServer } from '../../src/chart/api-server.ts';
import { EXAMPLES, findHelm, KUBERNETES, runHelm } from '../../src/chart/helm.ts';
import type { Labels, Rendered } from '../../src/chart/rendered.ts';
import { loadSchemas } from '../../src/chart/schemas.ts';

// Renders the chart with Helm, and checks the objects as a cluster would.

const read = (file: string) => readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8');
const OPERATIONS = read('docs/operators/operations.md');

const tool = findHelm();
const isHere = 'command' in tool;
if (!isHere) process.stderr.write(`skipped: rendering the Helm chart: ${tool.missing}\n`);
const helm = (...args: string[]) => runHelm(isHere ? tool.command : '', ...args);

function render(example: (typeof EXAMPLES)[number], ...flags: string[]): Rendered[] {
  return objectsIn(helm('template', 'shop', '.', `--values=values-${example}.yaml`, KUBERNETES, ...flags));
}

function objectsIn(text: string): Rendered[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Rendered);
}

(isHere ? describe : describe.skip)('the chart rendered by Helm', () => {
  const all: Record<string, Rendered[]> = {};
  beforeAll(() => {
    for (const example of EXAMPLES) all[example] = render(example);
  });
  const ofKind = (example: string, kind: string) =>
    (all[example] ?? []).filter((object) => object.kind === kind);
  const names = (example: string, kind: string) =>
    ofKind(example, kind)
      .map((object) => object.metadata.name.replace('shop-deal-signals-', ''))
      .toSorted();
  const podsOf = (example: string) => [...ofKind(example, 'Deployment'), ...ofKind(example, 'Job')];
  const commandsOf = (example: string) => ofKind(example, 'CronJob').map(({ spec }) => spec.jobTemplate);
  const ports = (deployment: Rendered | undefined) =>
    deployment?.spec.template.spec.containers[0].ports?.map((port) => port.name) ?? [];
  /** Returns the pods that labels select. */
  const selected = (example: string, selector: Labels) =>
    podsOf(example).filter(({ spec }) =>
      Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value),
    );

  test.each(EXAMPLES)('values-%s.yaml passes the lint', (example) => {
    const output = helm('lint', '.', '--strict', `--values=values-${example}.yaml`, KUBERNETES);
    expect(output).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  test('the values for one machine need no operator, and those for many use every resource', () => {
    const kinds = (example: string) =>
      [...new Set(all[example]?.map(({ kind }) => kind))].toSorted().join(' ');
    expect(kinds('single')).toBe('ConfigMap CronJob Deployment Ingress Job NetworkPolicy Service');
    expect(kinds('production')).toBe(
      'ConfigMap CronJob Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy PodDisruptionBudget PrometheusRule ScaledObject Service ServiceMonitor',
    );
    expect(names('production', 'PodDisruptionBudget')).toEqual(['api', 'worker']);
    expect(names('production', 'ServiceMonitor')).toEqual(['api', 'worker']);
    expect(names('production', 'NetworkPolicy')).toEqual(['api', 'migrate', 'worker']);
    expect(names('production', 'HorizontalPodAutoscaler')).toEqual(['api']);
    expect(names('production', 'ScaledObject')).toEqual(['worker']);
  });

  test.each(EXAMPLES)('every selector of values-%s.yaml selects the pods of its own app', (example) => {
    const selectors = (all[example] ?? []).flatMap((object) => {
      const { spec, metadata, kind } = object;
      if (kind === 'Service') return [[metadata, spec.selector as unknown as Labels] as const];
      if (kind === 'NetworkPolicy') return [[metadata, spec.podSelector.matchLabels] as const];
      if (['Deployment', 'PodDisruptionBudget'].includes(kind))
        return [[metadata, spec.selector.matchLabels] as const];
      return [];
    });
    expect(selectors.length).toBeGreaterThan(4);
    for (const [metadata, selector] of selectors) {
      const found = selected(example, selector).map(
        (pods) => pods.metadata.labels['app.kubernetes.io/component'],
      );
      expect([metadata.name, ...found]).toEqual([
        metadata.name,
        metadata.labels['app.kubernetes.io/component'],
      ]);
    }
  });

  test.each([
    ['single', ['kubernetes.io/hostname']],
    ['production', ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']],
  ])('the pods of each app of values-%s.yaml spread over %j', (example, keys) => {
    const deployments = ofKind(example, 'Deployment');
    expect(deployments).toHaveLength(2);
    for (const { spec } of deployments) {
      const { topologySpreadConstraints: constraints } = spec.template.spec;
      expect(constraints.map(({ topologyKey }) => topologyKey).toSorted()).toEqual(keys);
      for (const { labelSelector } of constraints) expect(labelSelector).toEqual(spec.selector);
    }
  });

  test.each(EXAMPLES)('the pods of values-%s.yaml are confined', (example) => {
    const pods = [...podsOf(example), ...commandsOf(example)];
    expect(pods).toHaveLength(5);
    for (const { spec } of pods) {
      const { automountServiceAccountToken, securityContext, containers, volumes } = spec.template.spec;
      expect([automountServiceAccountToken, spec.template.spec.enableServiceLinks]).toEqual([false, false]);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounted = containers[0].volumeMounts.map(({ name }) => name);
      expect(mounted).toEqual(volumes.map(({ name }) => name));
    }
  });

  test.each(EXAMPLES)('all references of values-%s.yaml exist', (example) => {
    const deployment = (app: string) =>
      ofKind(example, 'Deployment').find(({ metadata }) => metadata.name === `shop-deal-signals-${app}`);
    for (const app of ['api', 'worker']) {
      const [container] = deployment(app)?.spec.template.spec.containers ?? [];
      expect(container?.envFrom[0]).toEqual({ configMapRef: { name: `shop-deal-signals-${app}` } });
      for (const probe of [container?.readinessProbe, container?.livenessProbe]) {
        expect(ports(deployment(app))).toContain(probe?.httpGet.port);
      }
    }
    expect(names(example, 'ConfigMap')).toEqual(expect.arrayContaining(['api', 'worker']));
    const services = ofKind(example, 'Service');
    for (const service of services) {
      const [target] = selected(example, service.spec.selector as unknown as Labels);
      for (const { targetPort } of service.spec.ports) expect(ports(target)).toContain(targetPort);
    }
    for (const monitor of ofKind(example, 'ServiceMonitor')) {
      const [service, ...more] = services.filter(({ metadata }) =>
        Object.entries(monitor.spec.selector.matchLabels).every(
          ([name, value]) => metadata.labels[name] === value,
        ),
      );
      expect(more).toEqual([]);
      expect(service?.spec.ports.map(({ name }) => name)).toContain(monitor.spec.endpoints[0]?.port);
    }
    for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject']) {
      for (const { metadata, spec } of ofKind(example, kind)) {
        expect(spec.scaleTargetRef.name).toBe(metadata.name);
        const target = deployment(metadata.labels['app.kubernetes.io/component'] ?? '');
        // Otherwise each upgrade would undo the scaling.
        expect([target?.metadata.name, target?.spec.replicas]).toEqual([metadata.name, undefined]);
      }
    }
    const [backend] = ofKind(example, 'Ingress').map(
      ({ spec }) => spec.rules[0]?.http.paths[0]?.backend.service,
    );
    const behind = services.find(({ metadata }) => metadata.name === backend?.name);
    expect(behind?.spec.ports.map(({ name }) => name)).toEqual([backend?.port.name]);
  });

  test.each(EXAMPLES)('callers of values-%s.yaml cannot forge their address', (example) => {
    const proxies = ofKind(example, 'ConfigMap').find(({ metadata }) => metadata.name.endsWith('-api'))?.data;
    expect(proxies?.['TRUSTED_PROXIES']).toMatch(/^10(\.\d+){3}\/\d+$/);
    const [api] = ofKind(example, 'NetworkPolicy').filter(({ metadata }) => metadata.name.endsWith('-api'));
    expect(api?.spec.ingress?.[0]).toMatchObject({ ports: [{ port: 'http' }], from: [{}] });
  });

  test.each(['api.settings.TRUSTED_PROXIES=1', 'settings.TRUSTED_PROXIES=12'])(
    'a number of proxies requires a policy that names the callers of the API: %s',
    (number) => {
      const fault = /TRUSTED_PROXIES: \d+ lets every pod choose .*: give the networks of the proxies instead/;
      for (const open of ['networkPolicy.enabled=false', 'networkPolicy.from.api=null']) {
        expect(() => render('single', `--set=${number}`, `--set=${open}`)).toThrow(fault);
      }
      expect(render('single', `--set=${number}`)).toHaveLength(all['single']?.length ?? 0);
      const noProxy = number.replace(/\d+$/, '0');
      render('single', `--set=${noProxy}`, '--set=networkPolicy.enabled=false');
    },
  );

  test('publishes only the port for consumers', () => {
    const [published] = ofKind('production', 'Service').filter(({ metadata }) =>
      metadata.name.endsWith('-api'),
    );
    expect(published?.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
  });

  test('the closed network opens each port only to its callers, and no private address to deliveries', () => {
    const policies = new Map(
      ofKind('production', 'NetworkPolicy').map(({ metadata, spec }) => [
        metadata.labels['app.kubernetes.io/component'],
        spec,
      ]),
    );
    // A direction that is not named is open.
    for (const { policyTypes } of policies.values()) expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const open = (app: string) =>
      policies.get(app)?.ingress?.map((rule) => [rule.ports[0]?.port, rule.from?.length]);
    expect(open('api')).toEqual([
      ['http', 1],
      ['admin', 1],
      ['capture', 1],
    ]);
    expect(open('worker')).toEqual([['admin', 1]]);
    expect(open('migrate')).toBeUndefined();
    for (const app of ['api', 'worker']) {
      const { to, ports: allowed } = policies.get(app)?.egress?.at(-1) ?? {};
      // `sending/test/urls/egress-policy.unit.test.ts` compares the template with what the guard rejects.
      expect(to?.slice(0, 2)).toEqual([
        {
          ipBlock: {
            cidr: '0.0.0.0/0',
            except: [
              '0.0.0.0/8',
              '10.0.0.0/8',
              '100.64.0.0/10',
              '127.0.0.0/8',
              '168.63.129.16/32',
              '169.254.0.0/16',
              '172.16.0.0/12',
              '192.0.0.0/24',
              '192.0.2.0/24',
              '192.31.196.0/24',
              '192.52.193.0/24',
              '192.88.99.0/24',
              '192.168.0.0/16',
              '192.175.48.0/24',
              '198.18.0.0/15',
              '198.51.100.0/24',
              '203.0.113.0/24',
              '224.0.0.0/4',
              '240.0.0.0/4',
            ],
          },
        },
        {
          ipBlock: {
            cidr: '2000::/3',
            except: ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
          },
        },
      ]);
      expect(allowed).toEqual([{ protocol: 'TCP' }]);
    }
    expect(JSON.stringify(policies.get('migrate')?.egress)).not.toContain('0.0.0.0/0');
  });

  test('the metrics have the job names that the alerts use', () => {
    for (const { metadata, spec } of ofKind('production', 'ServiceMonitor')) {
      expect(spec.endpoints[0]?.relabelings).toEqual([
        { targetLabel: 'job', replacement: metadata.name.replace('shop-', '') },
      ]);
      expect(OPERATIONS).toContain(`job_name: ${metadata.name.replace('shop-', '')}`);
    }
  });

  test('the workers scale by valid queries of this installation', () => {
    const [scaled] = ofKind('production', 'ScaledObject');
    expect(scaled?.spec.triggers.map(({ metadata }) => metadata.query)).toEqual([
      'max(deal_signals_claimed_deliveries{namespace="deal-signals"})',
      'max(deal_signals_oldest_due_age_seconds{namespace="deal-signals"})',
    ]);
    const bare = render('production', '--set=worker.autoscaling.selector=');
    const [unselected] = bare.filter(({ kind }) => kind === 'ScaledObject');
    expect(unselected?.spec.triggers[1]?.metadata.query).toBe('max(deal_signals_oldest_due_age_seconds{})');
  });

  test('the migrations run before everything else, as the owner, with network access', () => {
    const [job] = ofKind('production', 'Job');
    const hook = (object: Rendered | undefined) => object?.metadata.annotations?.['helm.sh/hook'];
    expect(hook(job)).toBe('pre-install,pre-upgrade');
    const [container] = job?.spec.template.spec.containers ?? [];
    expect(container?.env.map(({ name, value }) => `${name}=${value}`)).toEqual([
      expect.stringMatching(/^DATABASE_URL=postgresql:\/\/signals_owner@/),
    ]);
    expect(container?.envFrom).toEqual([{ secretRef: { name: 'deal-signals-owner' } }]);
    const network = ofKind('production', 'NetworkPolicy').find(({ metadata }) =>
      metadata.name.endsWith('-migrate'),
    );
    expect(hook(network)).toBe('pre-install,pre-upgrade');
    expect(Number(network?.metadata.annotations?.['helm.sh/hook-weight'])).toBeLessThan(0);
  });

  test.each(EXAMPLES)(
    'the commands of values-%s.yaml run only on demand, in the pod of the migrations',
    (example) => {
      const [migration] = ofKind(example, 'Job');
      const commands = ofKind(example, 'CronJob');
      expect(commands.map(({ spec }) => spec.suspend)).toEqual(commands.map(() => true));
      for (const { metadata, spec } of commands) {
        const { template } = structuredClone(spec.jobTemplate.spec);
        const [container] = template.spec.containers;
        expect(metadata.name).toBe(`shop-deal-signals-${container.args?.join(' ')}`);
        container.args = ['migrate'];
        expect(template).toEqual(migration?.spec.template);
      }
    },
  );

  test('the jobs of the operators’ guide have the names of a release called deal-signals', () => {
    const objects = objectsIn(
      helm('template', 'deal-signals', '.', '--values=values-single.yaml', KUBERNETES),
    );
    const known = objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    const documented = Array.from(
      OPERATIONS.matchAll(/\b(?:cronjob|job)\/deal-signals[\w-]*/g),
      ([name]) => name,
    );
    expect(documented.length).toBeGreaterThan(2);
    expect(known).toEqual(expect.arrayContaining(documented));
  });

  test('the names of the commands are short enough for a CronJob', () => {
    const long = objectsIn(helm('template', 'x'.repeat(53), '.', '--values=values-single.yaml', KUBERNETES));
    const lengths = long.filter(({ kind }) => kind === 'CronJob').map(({ metadata }) => metadata.name.length);
    expect(Math.max(...lengths)).toBe(52);
  });

  test('the alerts link to the page that the operator names', () => {
    const runbooks = (...flags: string[]) =>
      render('production', ...flags)
        .flatMap(({ kind, spec }) => (kind === 'PrometheusRule' ? spec.groups : []))
        .flatMap(({ rules }) => rules.map(({ annotations }) => annotations.runbook_url.split('#')[0]));
    const page = 'https://git.shop.test/alerts.md';
    expect([...new Set(runbooks(`--set=prometheusRule.runbookUrl=${page}`))]).toEqual([page]);
    expect(() => render('production', '--set=prometheusRule.runbookUrl=')).toThrow(/runbookUrl is required/);
  });

  test('a process gets more time to stop than it needs', () => {
    const graces = (...flags: string[]) =>
      render('single', ...flags)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec.template.spec.terminationGracePeriodSeconds);
    // preStop 5, delay 5, requests 15, margin 5; attempts 10, recording 10, margin 10.
    expect(graces()).toEqual([30, 30]);
    expect(graces('--set=settings.WEBHOOK_TIMEOUT_MS=30500,settings.SHUTDOWN_DELAY_MS=0')).toEqual([46, 51]);
    expect(graces('--set=api.preStopSeconds=20')).toEqual([45, 30]);
  });

  test('a changed setting replaces only the pods of its app, and stays a string', () => {
    const changed = render('single', '--set=worker.settings.AUDIT_RETENTION_DAYS=2592000000');
    const checksums = (objects: Rendered[]) =>
      objects
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec.template.metadata.annotations?.['checksum/settings']);
    const [api, worker] = checksums(all['single'] ?? []);
    expect(checksums(changed)).toEqual([api, expect.not.stringMatching(worker ?? '')]);
    const data = changed.filter(({ kind }) => kind === 'ConfigMap').map((object) => object.data);
    expect(data[1]?.['AUDIT_RETENTION_DAYS']).toBe('2592000000');
    expect(data[0]?.['AUDIT_RETENTION_DAYS']).toBeUndefined();
  });

  test('an image can be pinned by its digest', () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const [job] = render('production', `--set=image.digests.migrate=${digest}`).filter(
      ({ kind }) => kind === 'Job',
    );
    expect(job?.spec.template.spec.containers[0].image).toBe(
      `registry.example.com/deal-signals-migrate@${digest}`,
    );
  });

  test('a closed network without servers is rejected', () => {
    expect(() => render('production', '--set-json=networkPolicy.servers=[]')).toThrow(/servers is required/);
  });

  test('the migrations run on the nodes that are selected for them', () => {
    const [job] = render('single', '--set=migrate.nodeSelector.pool=batch').filter(
      ({ kind }) => kind === 'Job',
    );
    expect(job?.spec.template.spec.nodeSelector).toEqual({ pool: 'batch' });
  });

  const schemas = isHere ? loadSchemas() : { missing: 'helm is not installed' };
  if ('missing' in schemas) process.stderr.write(`skipped: the schemas of Kubernetes: ${schemas.missing}\n`);

  ('check' in schemas ? describe : describe.skip)('by the schemas of a cluster', () => {
    const check = 'check' in schemas ? schemas.check : () => [];

    test.each(EXAMPLES)('every object of values-%s.yaml matches the schema of its kind', (example) => {
      expect(all[example]?.flatMap(check)).toEqual([]);
    });

    test.each([
      ['Deployment', ['spec', 'template', 'spec', 'containers', 0, 'livenessProbe', 'periodSeconds']],
      ['Service', ['spec', 'ports', 0, 'name']],
      ['NetworkPolicy', ['spec', 'egress', 0, 'ports', 0, 'protocol']],
      ['PodDisruptionBudget', ['spec', 'unhealthyPodEvictionPolicy']],
      ['CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'restartPolicy']],
      ['ScaledObject', ['spec', 'triggers', 0, 'metricType']],
      ['ServiceMonitor', ['spec', 'endpoints', 0, 'interval']],
      ['PrometheusRule', ['spec', 'groups', 0, 'rules', 0, 'annotations']],
    ])('a misspelt field and a value of another type in a %s are faults', (kind, place) => {
      const [object] = ofKind('production', kind);
      const broken = (change: (parent: Record<string | number, unknown>, name: string | number) => void) => {
        const copy = structuredClone(object) as unknown as Record<string | number, unknown>;
        const parent = place.slice(0, -1).reduce<unknown>((at, name) => (at as typeof copy)[name], copy);
        change(parent as typeof copy, place.at(-1) ?? '');
        return check(copy as unknown as Rendered).join();
      };
      expect(broken((parent, name) => (parent[`${name}s`] = parent[name]))).toContain(`${place.at(-1)}s`);
      expect(broken((parent, name) => (parent[name] = [true]))).toContain(`${place.at(-1)} must be`);
    });
  });

  const programs = 'missing' in schemas ? schemas : findApiServer();
  if ('missing' in programs)
    process.stderr.write(`skipped: an API server of Kubernetes: ${programs.missing}\n`);

  ('folder' in programs ? describe : describe.skip)('the chart on an API server of Kubernetes', () => {
    let server: ApiServer;
    beforeAll(async () => {
      if (!('folder' in programs && 'check' in schemas)) return;
      const definitions = (all['production'] ?? []).flatMap((object) => schemas.definitionOf(object) ?? []);
      server = await startApiServer(programs.folder, definitions);
      // It then warns of pods that exceed the strictest profile of Kubernetes.
      const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels } };
      expect(await server.apply(namespace, { dryRun: false })).toEqual([]);
    });
    afterAll(() => server?.stop());
    const apply = (object: Rendered) => server.apply(object, { dryRun: true });

    test.each(EXAMPLES)('every object of values-%s.yaml is accepted without a warning', async (example) => {
      const said = [];
      for (const object of all[example] ?? []) said.push(...(await apply(object)));
      expect(said).toEqual([]);
    });

    test('a misspelt field and a violation of rules in code are rejected, and a privileged pod causes a warning', async () => {
      const [deployment] = ofKind('production', 'Deployment');
      const [scaler] = ofKind('production', 'HorizontalPodAutoscaler');
      const change = (object: Rendered | undefined, field: string, value: unknown) => {
        const copy = structuredClone(object) as unknown as Record<string, unknown>;
        const keys = field.split('.');
        const parent = keys.slice(0, -1).reduce<unknown>((at, key) => (at as typeof copy)[key], copy);
        (parent as typeof copy)[keys.at(-1) ?? ''] = value;
        return apply(copy as unknown as Rendered);
      };
      expect(await change(deployment, 'spec.replica', 2)).toEqual([expect.stringContaining('.spec.replica')]);
      expect(await change(scaler, 'spec.minReplicas', 100)).toEqual([
        expect.stringMatching(/maxReplicas: Invalid value: .* must be greater than or equal to/),
      ]);
      expect(await change(deployment, 'spec.template.spec.hostNetwork', true)).toEqual([
        expect.stringContaining('would violate PodSecurity'),
      ]);
    });
  });
});
