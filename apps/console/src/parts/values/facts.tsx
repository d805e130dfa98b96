import { Fragment, type ReactNode } from 'react';
import './facts.css';

/** A list of names and values. Null values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="fact-list">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd className="breakable">{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
