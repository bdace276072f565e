"""What must be protected: detectors of sensitive spans, and the lists laid over them."""
