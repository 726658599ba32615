/** Every clone runs the same build, whatever its commit is. */
export const readBuild = (): { commit?: string; date?: string } => ({});
