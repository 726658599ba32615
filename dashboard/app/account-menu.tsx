import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { navigate } from './address.ts';
import { withBase } from './base-path.ts';
import { findPage } from './find-page.ts';
import { person, signOut } from './session.ts';

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
        ...(findPage('/account') ? [{ label: 'Your account', onSelect: () => navigate('/account') }] : []),
        { label: 'Documentation', onSelect: () => location.assign(withBase('/docs')) },
        {
          label: 'Sign out',
          onSelect: () => signOut('/'),
        },
      ]}
    />
  );
}
