/** The answers of a vendor by method and path. The pattern's group is the id in the path. */
export type NativeRoutes = readonly [
  pattern: RegExp,
  answer: (id: string, request: Request) => Response | Promise<Response>,
][];
