import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { RequestSettings } from './request-settings.ts';
import type { Settings } from './settings.ts';

/** The properties of each section of the settings. */
export type SettingsSectionProps = Pick<RequestSettings, 'settings' | 'model' | 'dialect' | 'faults'> & {
  options: PlaygroundOptions;
  onChange: (change: Partial<Settings>) => void;
};
