package io.sluice.demo.inventory.proof;

/** Hears what customers ask for and what they are told, on the customer's own thread. */
public interface Hearing {
    /** Called before the operation is sent. */
    void asked(Asked operation);

    /**
     * Called once it is certain; not at all when the customer dies before that.
     *
     * @param id of the operation
     */
    void told(String id, Answer answer);
}
