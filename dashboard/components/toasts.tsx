import { signal } from '@preact/signals';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

type Toast = { id: number; text: string; kind: 'success' | 'error' };

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Says that something was done, at the edge of the screen and to screen readers. */
export function toast(text: string, kind: Toast['kind'] = 'success'): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text, kind }];
  setTimeout(() => close(id), SHOWN_MS);
}

const close = (id: number): void => {
  toasts.value = toasts.value.filter((one) => one.id !== id);
};

export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, text, kind }) => (
      <div key={id} class={`toast ${kind}`}>
        <Icon name={kind === 'success' ? 'check' : 'warning'} />
        <span>{text}</span>
        <IconButton icon="close" label="Dismiss" onClick={() => close(id)} />
      </div>
    ))}
  </div>
);
