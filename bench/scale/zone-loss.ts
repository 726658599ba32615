type ZoneLossOrder = {
  nodes: number;
  databases: number;
  zones: number;
  requestsPerSecond: number;
  answerMs: number;
  /**
   * The time until a standby in another zone serves in place of a lost primary, and until lost nodes are
   * closed.
   */
  failoverMs: number;
  closingMs: number;
};

type ZoneLossReport = {
  /**
   * Answers under way on lost nodes. Such an answer breaks off, and is billed by its checkpoint or not at
   * all.
   */
  brokenAnswers: number;
  /** Requests on surviving nodes that the databases without a primary refuse. */
  refusedRequests: number;
  /** The load of each surviving node, relative to before. */
  nodeLoad: number;
  /** The longest time that credit and places of lost nodes stay taken. */
  heldMs: number;
};

/** Computes what the loss of one zone costs. Nodes and primaries are spread evenly over the zones. */
export function zoneLoss(order: ZoneLossOrder): ZoneLossReport {
  const { nodes, databases, zones, requestsPerSecond, answerMs, failoverMs, closingMs } = order;
  const lostNodes = Math.ceil(nodes / zones) / nodes;
  const lostPrimaries = Math.ceil(databases / zones) / databases;
  const underWay = (requestsPerSecond * answerMs) / 1_000;
  return {
    brokenAnswers: Math.round(underWay * lostNodes),
    refusedRequests: Math.round(((requestsPerSecond * failoverMs) / 1_000) * lostPrimaries),
    nodeLoad: Math.round(100 / (1 - lostNodes)) / 100,
    heldMs: failoverMs + closingMs,
  };
}
