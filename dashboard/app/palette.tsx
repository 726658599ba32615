import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { withParameters } from './address.ts';
import { accountChoice, choicesFor, type PaletteChoice } from './palette-choices.ts';
import { operatorRole } from './session.ts';
import type { ToolProps } from './tool-props.ts';
import { useDebounced } from './use-debounced.ts';
import { useQuery } from './use-query.ts';

const MAX_SHOWN = 12;
const MAX_ACCOUNTS = 5;

type Accounts = { data: { id: string; name: string }[] };

/** Finds a page, an account or a request by typing, and opens it. */
export function Palette({ onClose }: ToolProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const query = text.trim();
  const accounts = useAccounts(query);
  const choices = [
    ...choicesFor(query).slice(0, MAX_SHOWN - accounts.length),
    ...accounts.map(accountChoice),
  ];
  const chosen = choices[Math.min(active, choices.length - 1)];
  const open = (choice: PaletteChoice | undefined) => {
    if (!choice) return;
    onClose();
    choice.open();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(chosen);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || choices.length === 0) return;
    event.preventDefault();
    setActive((choices.indexOf(chosen!) + by + choices.length) % choices.length);
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <div class="field palette">
        <input
          role="combobox"
          aria-label="Find a page, an account or a request"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${choices.indexOf(chosen)}`}
          aria-autocomplete="list"
          autocomplete="off"
          autofocus
          spellcheck={false}
          placeholder={operatorRole.value ? 'A page, an account or a request id' : 'A page or a request id'}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
        <Choices id={id} choices={choices} chosen={chosen} open={open} />
      </div>
    </Dialog>
  );
}

/** The accounts that an operator may mean. */
function useAccounts(text: string): readonly Accounts['data'][number][] {
  const search = useDebounced(text.trim());
  const isAsked = operatorRole.value !== null && search.length > 1 && search === text;
  const path = isAsked ? withParameters('/operator/accounts', { search, limit: MAX_ACCOUNTS }) : null;
  return useQuery<Accounts>(path).data?.data ?? [];
}

type ChoicesProps = {
  id: string;
  choices: readonly PaletteChoice[];
  chosen: PaletteChoice | undefined;
  open: (choice: PaletteChoice) => void;
};

/** The text field keeps the focus and has the keys. */
function Choices({ id, choices, chosen, open }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [chosen?.id],
  );
  return (
    <>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Found" class="palette-list">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
          <div
            key={choice.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={choice === chosen}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(choice)}
          >
            <Icon name={choice.icon} />
            <span class="palette-label">{choice.label}</span>
            <span class="soft palette-hint">{choice.hint}</span>
          </div>
        ))}
      </div>
      <p class="soft" role="status">
        {choices.length === 0 && 'Nothing found'}
      </p>
    </>
  );
}
