import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { chooseTheme, theme, themes } from './theme.ts';

const labels: Readonly<Record<(typeof themes)[number], string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

export const ThemeMenu = () => (
  <Menu
    label="Colours"
    trigger={<Icon name="theme" />}
    items={themes.map((choice) => ({
      label: labels[choice],
      isChecked: theme.value === choice,
      onSelect: () => chooseTheme(choice),
    }))}
  />
);
