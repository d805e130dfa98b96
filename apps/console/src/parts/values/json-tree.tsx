import './json-tree.css';

/** The number of levels that are expanded at first. */
const OPEN_LEVELS = 2;

interface JsonTreeProps {
  /** A parsed JSON value. */
  value: unknown;
  /** The text alternative: what the value is. */
  label: string;
}

/** Shows a JSON value with collapsible objects and arrays. */
export function JsonTree({ value, label }: JsonTreeProps) {
  return (
    <div className="json-tree" role="group" aria-label={label} tabIndex={0}>
      <Node name={null} value={value} level={0} />
    </div>
  );
}

function Node({ name, value, level }: { name: string | null; value: unknown; level: number }) {
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        <Name name={name} />
        <span className={typeof value === 'string' ? 'json-string' : 'json-other'}>
          {JSON.stringify(value)}
        </span>
      </>
    );
  }
  const isArray = Array.isArray(value);
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length === 0) {
    return (
      <>
        <Name name={name} />
        {isArray ? '[]' : '{}'}
      </>
    );
  }
  return (
    <details open={level < OPEN_LEVELS}>
      <summary>
        <Name name={name} />
        <span className="json-size">{isArray ? items(entries.length) : fields(entries.length)}</span>
      </summary>
      <ul>
        {entries.map(([key, inner]) => (
          <li key={key}>
            <Node name={isArray ? null : key} value={inner} level={level + 1} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Name({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <>
      <span className="json-key">{name}</span>:{' '}
    </>
  );
}

function items(count: number): string {
  return count === 1 ? '[ 1 item ]' : `[ ${count} items ]`;
}

function fields(count: number): string {
  return count === 1 ? '{ 1 field }' : `{ ${count} fields }`;
}
