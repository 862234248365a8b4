import { Modal, type ModalProps } from "@mantine/core";
import type { ReactNode } from "react";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";

export const DialogFrame = ({ meanwhile: _over, ...props }: ModalProps & { readonly meanwhile?: ReactNode }) => (
  <Modal {...props} />
);
