/** Makes the answer of the admin API with a list of one page. */
export const listAnswer = (data: readonly { id: string }[]) => ({
  object: 'list',
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: false,
});
