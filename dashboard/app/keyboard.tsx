import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { person } from './session.ts';
import type { ToolProps } from './tool-props.ts';

type Tool = 'palette' | 'shortcuts';

/** The dialog that the keyboard has opened. */
const tool = signal<Tool | undefined>(undefined);
const close = () => {
  tool.value = undefined;
};

/** The dialogs are loaded when they are first opened. */
const loaders: Readonly<Record<Tool, () => Promise<ComponentType<ToolProps>>>> = {
  palette: async () => (await import('./palette.tsx')).Palette,
  shortcuts: async () => (await import('./shortcuts.tsx')).Shortcuts,
};

/** Fields take every key themselves. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Follows the keys that work on every page. */
export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !person.value) return;
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      event.preventDefault();
      tool.value = tool.value === 'palette' ? undefined : 'palette';
    } else if (key === '?' && !ctrlKey && !metaKey && !isField(target)) {
      event.preventDefault();
      tool.value = 'shortcuts';
    } else if (key === '/' && !ctrlKey && !metaKey && !isField(target)) {
      const search = document.querySelector<HTMLElement>('main search :is(input, select)');
      if (search) event.preventDefault();
      search?.focus();
    }
  });
}

/** The dialog that is open, if there is one. */
export function KeyboardTools() {
  const wantedTool = tool.value;
  const [loaded, setLoaded] = useState<{ tool: Tool; View: ComponentType<ToolProps> }>();
  useEffect(() => {
    let isOutdated = false;
    if (wantedTool !== undefined)
      loaders[wantedTool]().then((View) => !isOutdated && setLoaded({ tool: wantedTool, View }), close);
    return () => {
      isOutdated = true;
    };
  }, [wantedTool]);
  if (wantedTool === undefined || loaded?.tool !== wantedTool || !person.value) return null;
  return <loaded.View onClose={close} />;
}

/** Opens the palette for those who do not know its key. */
export const FindButton = () => (
  <button
    type="button"
    class="icon-button"
    title="Find (Ctrl+K)"
    onClick={() => {
      tool.value = 'palette';
    }}
  >
    <Icon name="search" label="Find" />
  </button>
);
