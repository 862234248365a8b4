import { randomUUID } from "node:crypto";

/** Where the templated answer and the stored one are asked for. */
export const TEMPLATED = "/templated";
export const STORED = "/jobs";

type Take = (path: string) => string;

/** A job as the service answers it, made from what was sent. */
const template = (id: string, take: Take): string =>
  `{"id":"${id}","images":[],"repairer_site_id":"${take("repairer_site_id")}","claim_number":"${take("claim_number")}",` +
  `"external_id":"${take("identity.external")}","job_number":"${take("job_number")}",` +
  `"vehicle":{"chassis_number":"${take("vehicle.chassis_number")}","plate_number":"${take("vehicle.plate_number")}","plate_state":null},` +
  `"work_provider_id":"${take("work_provider_id")}"}`;

const json = [{ key: "content-type", value: "application/json" }];

/** An environment of Mockoon: one templated route, and a data bucket that creations are stored in. */
export const mockoonEnvironment = (port: number): object => {
  const [templated, stored] = [randomUUID(), randomUUID()];
  const answer = { uuid: randomUUID(), statusCode: 200, default: true, headers: json };
  const body = template("{{faker 'string.uuid'}}", (path) => `{{body '${path}'}}`);
  return {
    uuid: randomUUID(),
    name: "bench",
    hostname: "127.0.0.1",
    port,
    rootChildren: [templated, stored].map((uuid) => ({ type: "route", uuid })),
    routes: [
      {
        uuid: templated,
        type: "http",
        method: "post",
        endpoint: TEMPLATED.slice(1),
        responses: [{ ...answer, bodyType: "INLINE", body }],
      },
      {
        uuid: stored,
        type: "crud",
        method: "",
        endpoint: STORED.slice(1),
        responses: [{ ...answer, uuid: randomUUID(), bodyType: "DATABUCKET", databucketID: "jobs", crudKey: "id" }],
      },
    ],
    data: [{ uuid: randomUUID(), id: "jobs", name: "jobs", value: "[]" }],
  };
};

export const jsonServerData = { jobs: [] };

/** A stub of WireMock that answers from what was sent. */
export const wiremockMapping = {
  request: { method: "POST", urlPath: TEMPLATED },
  response: {
    status: 200,
    headers: { "Content-Type": "application/json" },
    body: template("{{randomValue type='UUID'}}", (path) => `{{jsonPath request.body '$.${path}'}}`),
    transformers: ["response-template"],
  },
};
