import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

// The schemas that a cluster checks objects against, from the Go modules that ship them.

/**
 * The oldest version that Chart.yaml allows, with its latest patch. That version drops or rejects fields that it does not
 * know.
 */
export const KUBERNETES_VERSION = '1.30.14';

const KUBERNETES = `k8s.io/client-go@v${KUBERNETES_VERSION.replace(/^1/, '0')}`;
/** The CustomResourceDefinitions by the API group of their objects. */
const OPERATORS = {
  'keda.sh': {
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    fileOf: (kind: string) => `config/crd/bases/keda.sh_${kind}s.yaml`,
  },
  'monitoring.coreos.com': {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    fileOf: (kind: string) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}s.yaml`,
  },
};

/** An object of Kubernetes. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
}

/** Returns what is wrong with an object, one line per fault. */
export type Check = (object: KubernetesObject) => string[];

/** A type of client-go: one of these, or `untyped`. */
interface ClientType {
  name: string;
  namedType?: string;
  scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  list?: { elementType: ClientType };
  map?: { fields?: { name: string; type: ClientType }[]; elementType?: ClientType };
}

/** A CustomResourceDefinition. */
interface Definition extends KubernetesObject {
  metadata: { name: string };
  spec: { versions: { name: string; schema: { openAPIV3Schema: object } }[] };
}

/**
 * Downloads the schemas and the CustomResourceDefinitions of the operators, or finds them in Go's cache. The schemas reject
 * unknown fields and values of another type, and those of the operators also require fields. They do not cover rules that a
 * cluster has in code or in CEL, which `api-server.ts` evaluates.
 */
export function loadSchemas():
  { check: Check; definitionOf: (object: KubernetesObject) => Definition | undefined } | { missing: string } {
  const modules = [KUBERNETES, ...Object.values(OPERATORS).map(({ module }) => module)];
  const { error, status, stdout } = spawnSync('go', ['mod', 'download', '-json', ...modules], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (error !== undefined) return { missing: 'go is not installed' };
  if (status !== 0) return { missing: 'go cannot download the modules that contain them' };
  const downloaded = stdout
    .split(/(?<=^\})\n/m)
    .filter(Boolean)
    .map((text) => JSON.parse(text) as { Path: string; Version: string; Dir: string });
  const folders = new Map(downloaded.map(({ Path, Version, Dir }) => [`${Path}@${Version}`, Dir]));
  const read = (module: string, file: string) =>
    readFileSync(path.join(folders.get(module) ?? '', file), 'utf8');

  // The formats are the sizes of numbers.
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    allErrors: true,
    code: { regExp: GO_PATTERNS },
  });
  ajv.addSchema(clientSchemas(read(KUBERNETES, 'applyconfigurations/internal/internal.go')), 'kubernetes');

  function definitionOf({ apiVersion, kind }: KubernetesObject): Definition | undefined {
    const operator = Object.entries(OPERATORS).find(([group]) => apiVersion.startsWith(`${group}/`))?.[1];
    return operator && (parse(read(operator.module, operator.fileOf(kind.toLowerCase()))) as Definition);
  }

  const compiled = new Map<string, ValidateFunction>();
  function compile({ apiVersion, kind }: KubernetesObject): ValidateFunction {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    const definition = definitionOf({ apiVersion, kind });
    if (definition === undefined) {
      const name = `io.k8s.api.${group.replace(/\.k8s\.io$/, '') || 'core'}.${version}.${kind}`;
      return ajv.compile({ $ref: `kubernetes#/definitions/${name}` });
    }
    const found = definition.spec.versions.find(({ name }) => name === version);
    if (found === undefined) throw new Error(`${kind} has no version ${version}`);
    return ajv.compile(closed(found.schema.openAPIV3Schema));
  }

  return {
    definitionOf,
    check(object) {
      const name = `${object.apiVersion} ${object.kind}`;
      const isValid = compiled.get(name) ?? compile(object);
      compiled.set(name, isValid);
      isValid(object);
      return (isValid.errors ?? []).map(({ instancePath, message, params }) =>
        [object.kind, instancePath, message, JSON.stringify(params)].join(' '),
      );
    },
  };
}

/** Go has a flag in the pattern where JavaScript has it behind the pattern. */
const GO_PATTERNS = Object.assign(
  (pattern: string) => new RegExp(pattern.replace('(?i)', ''), pattern.includes('(?i)') ? 'i' : ''),
  { code: 'RegExp' },
);

/** Returns the schemas in the description that clients use to merge objects. */
function clientSchemas(source: string): object {
  const [, text = ''] = /typed\.YAMLObject\(`(.*)`\)/s.exec(source) ?? [];
  const { types } = parse(text) as { types: ClientType[] };
  return { definitions: Object.fromEntries(types.map((type) => [type.name, toSchema(type)])) };
}

function toSchema({ namedType, scalar, list, map }: ClientType): object {
  if (namedType !== undefined) return { $ref: `#/definitions/${namedType}` };
  // Such as quantities, which are strings or numbers.
  if (scalar === 'untyped') return {};
  if (scalar !== undefined) return { type: scalar === 'numeric' ? 'number' : scalar };
  if (list !== undefined) return { type: 'array', items: toSchema(list.elementType) };
  return {
    type: 'object',
    properties: Object.fromEntries((map?.fields ?? []).map(({ name, type }) => [name, toSchema(type)])),
    additionalProperties: map?.elementType === undefined ? false : toSchema(map.elementType),
  };
}

/** Forbids fields that a schema does not name, because a cluster drops them from custom resources. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null) return part;
    const isOpen = 'additionalProperties' in part || 'x-kubernetes-preserve-unknown-fields' in part;
    const isObject = 'type' in part && part.type === 'object' && 'properties' in part;
    return isObject && !isOpen ? { ...part, additionalProperties: false } : part;
  }) as object;
}
