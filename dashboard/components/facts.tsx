import type { ComponentChildren } from 'preact';

export type Fact = readonly [label: string, value: ComponentChildren];

/** Names and values, such as the properties of a key. */
export const Facts = ({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) => (
  <dl class="facts">
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] ?? '–'}</dd>
          </div>
        ),
    )}
  </dl>
);
