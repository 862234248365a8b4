import { DiffView } from "../../renderer/components/diff-view.tsx";
import { HeadersView } from "../../renderer/components/headers-view.tsx";
import { JsonView } from "../../renderer/components/json-view.tsx";
import { HexView } from "../../renderer/domain/exchange/hex-view.tsx";
import { RequestPreview } from "../../renderer/domain/exchange/request-preview.tsx";
import { TextBytes } from "../../renderer/domain/exchange/text-bytes.tsx";
import { findText } from "../../renderer/features/webhooks/message/notification.ts";
import { bytesFromText } from "../../renderer/lib/bytes.ts";
import { Cell } from "./cell.tsx";
import { after, before, envelope, headers, jobId, procurement } from "./samples.ts";

const bytes = bytesFromText(envelope);
const marks = [findText(bytes, "194a000c-d6ca-4d95-a6ab-2b301f5a49c0")].filter((range) => range !== null);
const key = { api_key: "sbx_e95a27c8406b4d1fb3a2709d61cf3f70", integration_id: "454de7c8-0bab-43bb-9912-6745d2f34fd7" };

export const CodeCells = () => (
  <>
    <Cell title="JSON, marked and folded" span={4}>
      <JsonView value={procurement} label="sample" marks={["/status"]} />
      <JsonView value={{ offers: [procurement, procurement] }} label="folded sample" foldFrom={1} />
    </Cell>
    <Cell title="Difference" span={4} flush>
      <DiffView title="TRC-20397-1" before={before} after={after} />
      <DiffView title="Nothing" before={before} after={before} />
    </Cell>
    <Cell title="The request before it is sent" span={4}>
      <RequestPreview operation="supplier.procurements.confirm" body={{ identity: { id: jobId } }} credential={key} />
    </Cell>
    <Cell title="Bytes as hex" span={7}>
      <div className="gallery-hex">
        <HexView bytes={bytes} label="sample" marks={marks} />
      </div>
    </Cell>
    <Cell title="Bytes as text, headers" span={5}>
      <TextBytes bytes={bytes} label="sample" marks={marks} />
      <HeadersView headers={headers} label="sample headers" marks={["content-type"]} />
    </Cell>
  </>
);
