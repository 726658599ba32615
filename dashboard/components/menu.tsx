import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { lookUp } from '../../src/base/lib/records.ts';
import { Icon } from './icon.tsx';

type MenuItem = {
  label: string;
  hint?: string;
  onSelect: () => unknown;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** True for the chosen item of several. Undefined if the menu is not a choice. */
  isChecked?: boolean;
};

type MenuProps = {
  /** The name of the button for screen readers. */
  label: string;
  trigger: ComponentChildren;
  items: readonly MenuItem[];
  heading?: ComponentChildren;
  align?: 'start' | 'end';
};

/** The index of the entry that gets the focus, by the key. */
const focusMoves: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A button that opens a list of actions. */
export function Menu({ label, trigger, items, heading, align = 'end' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const entries = () => [
    ...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? []),
  ];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (isOpen) entries()[0]?.focus();
  }, [isOpen]);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    }
    const move = lookUp(focusMoves, event.key);
    if (!move || !isOpen) return;
    event.preventDefault();
    const elements = entries();
    elements[move(elements.indexOf(document.activeElement as HTMLElement), elements.length)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees the keys of its button and items
    <div
      ref={root}
      class="menu"
      onKeyDown={press}
      onFocusOut={({ relatedTarget }) => {
        if (isOpen && !root.current?.contains(relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        class="menu-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {trigger}
      </button>
      {isOpen && (
        <div class={`menu-panel ${align}`}>
          {heading && <div class="menu-heading">{heading}</div>}
          <div id={id} role="menu" aria-label={label}>
            {items.map((item, index) => (
              // Two organizations can have the same name.
              <Entry key={index} item={item} onDone={close} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

/** An item of the menu. Only an item of a choice has a state. */
const Entry = ({ item, onDone }: { item: MenuItem; onDone: () => void }) => (
  <button
    type="button"
    {...(item.isChecked === undefined
      ? { role: 'menuitem' }
      : { role: 'menuitemradio', 'aria-checked': item.isChecked })}
    tabIndex={-1}
    class={item.isDangerous ? 'menu-item danger' : 'menu-item'}
    disabled={item.isDisabled}
    onClick={() => {
      onDone();
      void item.onSelect();
    }}
  >
    <span>{item.label}</span>
    {item.hint && <span class="soft">{item.hint}</span>}
    {item.isChecked && <Icon name="check" />}
  </button>
);
