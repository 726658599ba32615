import { entryPlaces } from './entries-sql.ts';
import { storeRows } from './store-rows.ts';

const [KIND] = entryPlaces.kind;
const [AMOUNT] = entryPlaces.microcredits;

/** Damages the store of a data directory: adds to the amount in each charge's entry. */
export async function addToCharges(dataDirectory: string, microcredits: number): Promise<void> {
  const rows = await storeRows<{ number: number; text: string }>(
    dataDirectory,
    'SELECT number, text FROM entry ORDER BY number',
  );
  for (const { number, text } of rows) {
    const values = JSON.parse(text) as unknown[];
    if (values[KIND] !== 'usage') continue;
    values[AMOUNT] = Number(values[AMOUNT]) + microcredits;
    const literal = `'${JSON.stringify(values).replaceAll("'", "''")}'`;
    await storeRows(dataDirectory, `UPDATE entry SET text = ${literal} WHERE number = ${number}`);
  }
}
