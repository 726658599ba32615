import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { navigate } from './address.ts';
import { withBase } from './base-path.ts';
import { person, signOut } from './session.ts';

/** The menu of the person who is signed in. It is in the frame of signed-in people alone. */
export function AccountMenu() {
  const { name, email } = person.value!;
  return (
    <Menu
      label={`Your account, ${email}`}
      trigger={<Icon name="person" />}
      heading={
        <>
          <strong>{name}</strong>
          <span>{email}</span>
        </>
      }
      items={[
        { label: 'Your account', onSelect: () => navigate('/account') },
        { label: 'Documentation', onSelect: () => location.assign(withBase('/docs')) },
        { label: 'Sign out', onSelect: () => signOut('/') },
      ]}
    />
  );
}
