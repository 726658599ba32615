import type { SqliteConnection } from '../connection.ts';
import { BROKEN_SEAL, sealOf } from './seal.ts';

/** Up to which number every entry is in the sums. `isWhole` false: somebody has changed it. */
export type Summed = { number: number; isWhole: boolean };

export function selectSummed(connection: SqliteConnection): Summed {
  const [row, ...more] = connection.all('SELECT number, seal FROM summed');
  const number = Number(row?.number ?? 0);
  return { number, isWhole: more.length === 0 && row?.seal === sealOf('summed', number) };
}

export function saveSummed(connection: SqliteConnection, { number, isWhole }: Summed): void {
  const seal = isWhole ? sealOf('summed', number) : BROKEN_SEAL;
  connection.run('DELETE FROM summed');
  connection.run('INSERT INTO summed (number, seal) VALUES ($number, $seal)', { number, seal });
}
