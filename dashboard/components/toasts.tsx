import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

type Toast = { id: number; text: string; kind: 'success' | 'error' };

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
/** A long text needs more time to be read. */
const SHOWN_MS_PER_CHARACTER = 60;
const MAX_SHOWN = 3;
let last = 0;

/** Says that something was done, at the edge of the screen and to screen readers. */
export function toast(text: string, kind: Toast['kind'] = 'success'): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text, kind }].slice(-MAX_SHOWN);
  setTimeout(() => close(id), SHOWN_MS + text.length * SHOWN_MS_PER_CHARACTER);
}

const close = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/**
 * The messages lie above every dialog, because the browser shows a popover above what was opened before it.
 */
export function Toasts() {
  const place = useRef<HTMLDivElement>(null);
  const latest = toasts.value.at(-1)?.id;
  useEffect(() => {
    const element = place.current!;
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }, [latest]);
  return (
    <div ref={place} class="toasts" role="status" popover="manual">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={kind === 'success' ? 'check' : 'warning'} />
          <span>{text}</span>
          <IconButton icon="close" label="Dismiss" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
