import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { chooseOrganization, organization, organizations } from './session.ts';

/** Shows the name of the organization, as a menu if the person is in several. */
export function OrganizationSwitcher() {
  const current = organization.value;
  if (!current) return null;
  if (organizations.value.length === 1) return <p class="organization-name">{current.name}</p>;
  return (
    <Menu
      label={`Organization: ${current.name}`}
      align="start"
      trigger={
        <>
          <span class="organization-name">{current.name}</span>
          <Icon name="down" />
        </>
      }
      items={organizations.value.map(({ id, name, role }) => ({
        label: name,
        hint: role,
        isChecked: id === current.id,
        onSelect: () => chooseOrganization(id),
      }))}
    />
  );
}
