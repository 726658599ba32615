import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { queryValue, setQuery } from '../app/address.ts';

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  /** The parameter of the address that keeps the choice. */
  param?: string;
  children: (id: Id) => ComponentChildren;
};

/** Several views of which one is shown. The address keeps the choice. */
export function Tabs<Id extends string>({ label, tabs, param = 'tab', children }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const namedId = queryValue(param);
  const chosen = tabs.find((tab) => tab.id === namedId) ?? tabs[0]!;
  const choose = (index: number) =>
    setQuery({ [param]: index === 0 ? null : tabs[index]!.id }, { replace: false });
  const press = (event: KeyboardEvent) => {
    const current = tabs.indexOf(chosen);
    const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = (target + tabs.length) % tabs.length;
    choose(index);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} role="tablist" class="tab-list" aria-label={label} onKeyDown={press}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen.id}`}>
        {children(chosen.id)}
      </div>
    </div>
  );
}
