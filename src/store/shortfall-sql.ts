/** The statements on charges below their list cost, for both kinds of databases. `place` writes the place of a parameter. */
export const shortfallSql = (place: (number: number) => string) => ({
  exceeding: `SELECT account_id, SUM(microcredits) AS microcredits FROM shortfall WHERE at >= ${place(1)}
    GROUP BY account_id HAVING SUM(microcredits) > ${place(2)} ORDER BY account_id LIMIT ${place(3)}`,
  clear: `DELETE FROM shortfall WHERE account_id = ${place(1)}`,
  sweep: `DELETE FROM shortfall WHERE at < ${place(1)}`,
});
