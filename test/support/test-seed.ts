/** The seed of a test that draws its inputs: the one given by the environment, or else the test's own. */
export function testSeed(usual: number): number {
  const given = process.env.TOLLGATE_TEST_SEED ?? '';
  return /^\d+$/.test(given) ? Number(given) : usual;
}
