import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { queryValue, setQuery } from '../app/address.ts';

export type Tab = { id: string; label: string; count?: number };

export type TabsProps = {
  label: string;
  tabs: readonly Tab[];
  /** The parameter of the address that keeps the choice. */
  param?: string;
  children: (id: string) => ComponentChildren;
};

/** Several views of which one is shown. The address keeps the choice. */
export function Tabs({ label, tabs, param = 'tab', children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosenTab = queryValue(param);
  const chosen = tabs.find((tab) => tab.id === chosenTab) ?? tabs[0]!;
  const choose = (tab: Tab) => setQuery({ [param]: tab === tabs[0] ? null : tab.id }, { replace: false });
  const move = (event: KeyboardEvent) => {
    const at = tabs.indexOf(chosen);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show((next + tabs.length) % tabs.length);
  };
  const show = (next: number) => {
    choose(tabs[next]!);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} role="tablist" class="tab-list" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {tab.label}
            {tab.count !== undefined && <span class="count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen.id}`}>
        {children(chosen.id)}
      </div>
    </div>
  );
}
