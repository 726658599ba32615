import { Dialog } from '../components/dialog.tsx';
import type { ToolProps } from './tool-props.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  [isApple ? '⌘ K' : 'Ctrl K', 'Find a page, an account or a request'],
  ['/', 'Go to the first filter of a list'],
  ['?', 'Show these shortcuts'],
  ['Escape', 'Close a dialog, a menu or a list'],
  ['← →', 'Choose another tab, once a tab has the focus'],
  ['↑ ↓', 'Choose an entry of a menu or of a list'],
];

/** The keys that work on every page. */
export const Shortcuts = ({ onClose }: ToolProps) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="shortcuts">
      {shortcuts.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
