import type { ComponentChildren } from 'preact';

export type Fact = { label: string; value: ComponentChildren };

/** Names and values, such as the properties of a key. */
export const Facts = ({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) => (
  <dl class="facts">
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value ?? '–'}</dd>
          </div>
        ),
    )}
  </dl>
);
