import type { ComponentType } from 'preact';
import { useRef } from 'preact/hooks';
import { lookUp } from '../../../src/base/lib/records.ts';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ChangeKey } from './change-key.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyDetails } from './key-details.tsx';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const dialogs: Readonly<Record<string, ComponentType<KeyDialogProps>>> = {
  change: ChangeKey,
  rotate: RotateKey,
  revoke: RevokeKey,
};

const close = () => setQuery({ key: null, do: null, client: null }, { replace: false });

/** The dialog that the address names: `?do=create`, `?key=…`, or `?key=…&do=change`. */
export function KeyDialog({ mayChange }: { mayChange: boolean }) {
  const id = queryValue('key');
  const wanted = queryValue('do');
  if (id !== '') return <OneKey key={`${id} ${wanted}`} id={id} wanted={mayChange ? wanted : ''} />;
  return wanted === 'create' && mayChange ? <CreateKey onClose={close} /> : null;
}

function OneKey({ id, wanted }: { id: string; wanted: string }) {
  const path = inOrganization('/keys')!;
  const query = useQuery<ListedKey>(`${path}/${encodeURIComponent(id)}`);
  const Shown = lookUp(dialogs, wanted) ?? KeyDetails;
  // A form with the values of an older answer would undo what somebody else has changed since.
  const isFresh = useRef(false);
  isFresh.current ||= !query.isRefreshing;
  if (query.data && (isFresh.current || Shown === KeyDetails))
    return <Shown apiKey={query.data} path={path} onClose={close} />;
  return (
    <Dialog title="Key" onClose={close}>
      <Loaded query={query}>{() => <Skeleton lines={6} />}</Loaded>
    </Dialog>
  );
}
