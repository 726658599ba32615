/** The member with the contents of each step that can have an image, a document or a sound. */
export const contentMembers: Readonly<Record<string, 'content' | 'result'>> = {
  user_input: 'content',
  model_output: 'content',
  function_result: 'result',
};
