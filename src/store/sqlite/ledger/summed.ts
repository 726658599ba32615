import type { SqliteConnection } from '../sqlite-connection.ts';
import { BROKEN_SEAL, sealOf } from './seal.ts';

/** The number up to which all entries are in the sums. `isIntact` is false if the row was changed. */
export type Summed = { number: number; isIntact: boolean };

export function selectSummed(connection: SqliteConnection): Summed {
  const [row, ...more] = connection.all('SELECT number, seal FROM summed');
  const number = Number(row?.number ?? 0);
  return { number, isIntact: more.length === 0 && row?.seal === sealOf('summed', number) };
}

/** A crash leaves the former row or the new one. */
export function saveSummed(connection: SqliteConnection, { number, isIntact }: Summed): void {
  const seal = isIntact ? sealOf('summed', number) : BROKEN_SEAL;
  connection.inOne(() => {
    connection.run('DELETE FROM summed');
    connection.run('INSERT INTO summed (number, seal) VALUES ($number, $seal)', { number, seal });
  });
}
