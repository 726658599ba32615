import { isFull } from '../../support/is-full.ts';
import type { OpenOptions } from './use-browser.ts';

type Look = readonly [name: string, options: Pick<OpenOptions, 'dark' | 'width' | 'height'>];

const narrow: Look = ['narrow', { width: 360, height: 700, dark: true }];

/**
 * The looks of a page. The ordinary run has the look whose colours and sizes both differ from the usual ones.
 */
export const looks: readonly Look[] = isFull
  ? [['light', {}], ['dark', { dark: true }], ['phone', { width: 390, height: 844 }], narrow]
  : [narrow];
